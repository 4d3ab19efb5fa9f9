// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/message_category.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline::d3d12 {
namespace {

struct Range {
  int first;  ///< up to the next range's
  D3D12_MESSAGE_CATEGORY category;
};

constexpr auto application = D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED;
constexpr auto miscellaneous = D3D12_MESSAGE_CATEGORY_MISCELLANEOUS;
constexpr auto initialization = D3D12_MESSAGE_CATEGORY_INITIALIZATION;
constexpr auto creation = D3D12_MESSAGE_CATEGORY_STATE_CREATION;
constexpr auto setting = D3D12_MESSAGE_CATEGORY_STATE_SETTING;
constexpr auto manipulation = D3D12_MESSAGE_CATEGORY_RESOURCE_MANIPULATION;
constexpr auto execution = D3D12_MESSAGE_CATEGORY_EXECUTION;

// d3d12sdklayers.h names each message after what it is about; the ranges group names of one kind.
constexpr Range ranges[] = {
    {D3D12_MESSAGE_ID_UNKNOWN, miscellaneous},
    {D3D12_MESSAGE_ID_STRING_FROM_APPLICATION, application},
    {D3D12_MESSAGE_ID_CORRUPTED_THIS, miscellaneous},
    {D3D12_MESSAGE_ID_CREATESHADERRESOURCEVIEW_UNRECOGNIZEDFORMAT, creation},
    {D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID, execution},
    {239, creation},  // CREATEINPUTLAYOUT_ and other objects, live ones included
    {310, execution},
    {321, creation},  // CREATECOMPUTESHADER_
    {331, execution},
    {340, creation},  // CREATEUNORDEREDACCESSVIEW_
    {410, execution},
    {493, manipulation},  // UPDATETILEMAPPINGS_, COPYTILEMAPPINGS_
    {D3D12_MESSAGE_ID_CREATEDEVICE_INVALIDARGS, initialization},
    {519, manipulation},  // RESOURCE_BARRIER_
    {538, execution},
    {D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID, setting},
    {557, creation},  // CREATE_, LIVE_, DESTROY_
    {607, execution},
    {622, creation},
    {653, manipulation},  // COPY_DESCRIPTORS_
    {655, creation},
    {692, execution},
    {696, creation},
    {703, execution},
    {D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID, setting},
    {718, creation},
    {725, setting},
    {729, creation},
    {731, execution},
    {739, miscellaneous},
    {741, execution},
    {742, creation},
    {744, execution},
    {815, creation},
    {820, execution},
    {D3D12_MESSAGE_ID_COPYBUFFERREGION_NULLDST, manipulation},
    {881, creation},
    {889, manipulation},
    {899, execution},
    {943, manipulation},
    {951, execution},
    {962, creation},
    {988, execution},
    {1013, creation},
    {1014, execution},
    {1016, initialization},
    {1017, creation},
    {1023, execution},
    {1051, creation},
    {1066, execution},
    {1083, creation},
    {1090, manipulation},
    {1094, execution},
    {1099, creation},
    {1109, execution},
    {1115, creation},
    {1127, execution},
    {1137, creation},
    {1140, manipulation},
    {1153, execution},
    {1163, creation},
    {1170, execution},
    {1177, creation},
    {1189, execution},
    {1244, creation},
    {1254, execution},
    {1265, creation},
    {1303, manipulation},
    {1305, execution},
    {1309, creation},
    {1314, execution},
    {1328, creation},
    {1329, execution},
    {1342, creation},
    {1343, execution},
    {1352, creation},
    {1355, execution},
    {1359, creation},
};

}  // namespace

D3D12_MESSAGE_CATEGORY category_of(D3D12_MESSAGE_ID id) {
  const auto* const after = std::upper_bound(std::begin(ranges), std::end(ranges), static_cast<int>(id),
                                             [](int number, const Range& range) { return number < range.first; });
  return after == std::begin(ranges) ? miscellaneous : std::prev(after)->category;
}

}  // namespace fenceline::d3d12
