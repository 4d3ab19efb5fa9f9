// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/declared_interface.hpp"

#include "api/d3d12/shaders/pipeline_linkage.hpp"
#include "api/hlsl/register_packing.hpp"

#include <fmt/format.h>

#include <glslang/MachineIndependent/localintermediate.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using Elements = std::vector<DeclaredElement>;

/// Name and index of a semantic.
std::pair<std::string, std::uint32_t> split(const std::string& semantic) {
  constexpr std::size_t longest_index = 6;
  const std::size_t end = semantic.find_last_not_of("0123456789") + 1;
  if (end == semantic.size() || semantic.size() - end > longest_index) return {semantic, 0};
  return {semantic.substr(0, end), static_cast<std::uint32_t>(std::stoul(semantic.substr(end)))};
}

std::optional<D3D_REGISTER_COMPONENT_TYPE> component_type(glslang::TBasicType type) {
  switch (type) {
    case glslang::EbtFloat:
    case glslang::EbtFloat16: return D3D_REGISTER_COMPONENT_FLOAT32;
    case glslang::EbtInt:
    case glslang::EbtInt16: return D3D_REGISTER_COMPONENT_SINT32;
    case glslang::EbtUint:
    case glslang::EbtUint16:
    case glslang::EbtBool: return D3D_REGISTER_COMPONENT_UINT32;
    default: return {};
  }
}

std::uint32_t interpolation_of(const glslang::TQualifier& qualifier) {
  return (qualifier.flat ? 1U : 0U) | (qualifier.nopersp ? 2U : 0U) | (qualifier.centroid ? 4U : 0U) |
         (qualifier.sample ? 8U : 0U);
}

/// The linker's variables: by direction and semantic, how they are interpolated. The declarations no longer say it.
using Interpolations = std::map<std::pair<bool, std::string>, std::uint32_t>;

/// Turns types into elements. The semantic of a whole struct is that of its members that have none.
class Collector {
 public:
  Collector(const Interpolations& interpolations, std::string file)
      : interpolations_(interpolations), file_(std::move(file)) {}

  /// A parameter or result; of an array of vertices (`each`) one of them.
  void add(const glslang::TType& type, const std::string& name, int line, bool out, bool each, Elements& to) {
    line_ = line;
    out_ = out;
    inherited_.clear();
    next_index_ = 0;
    add_type(type, name, each, to);
  }
  const std::string& error() const { return error_; }

 private:
  void add_type(const glslang::TType& type, const std::string& name, bool each, Elements& to) {
    const int count = type.isArray() && !each ? type.getCumulativeArraySize() : 1;
    constexpr int most_elements = 128;  // four components of each of 32 registers
    if (count < 1 || count > most_elements) return fail(name, "an array of such a size does not fit between stages");
    if (type.isStruct()) {
      const auto outer = std::pair(inherited_, next_index_);
      const char* const own = type.getQualifier().semanticName;
      if (own != nullptr) std::tie(inherited_, next_index_) = split(own);
      for (int i = 0; i < count && error_.empty(); ++i) {
        for (const glslang::TTypeLoc& member : *type.getStruct()) {
          add_type(*member.type, name + '.' + member.type->getFieldName().c_str(), false, to);
        }
      }
      if (own != nullptr) std::tie(inherited_, next_index_) = outer;
      return;
    }
    add_leaf(type, name, static_cast<std::uint32_t>(count), to);
  }

  void add_leaf(const glslang::TType& type, const std::string& name, std::uint32_t count, Elements& to) {
    DeclaredElement element;
    const auto component = component_type(type.getBasicType());
    if (!component) return fail(name, "a value of this type does not pass between stages");
    element.type = *component;
    element.components = static_cast<std::uint32_t>(std::max(1, type.getVectorSize()));
    element.rows = count;
    if (type.isMatrix()) {  // a register for each column, as matrices are packed by default; glslang holds them turned
      element.components = static_cast<std::uint32_t>(type.getMatrixCols());
      element.rows *= static_cast<std::uint32_t>(type.getMatrixRows());
    }
    const char* const own = type.getQualifier().semanticName;
    if (own != nullptr) {
      std::tie(element.name, element.index) = split(own);
    } else if (!inherited_.empty()) {
      element.name = inherited_;
      element.index = next_index_;
      next_index_ += element.rows;
    } else {
      return fail(name, "expected a semantic, as all values of an entry function have, found none");
    }
    if (element.type != D3D_REGISTER_COMPONENT_FLOAT32) {
      element.interpolation = 1;
    } else if (own != nullptr) {
      const auto found = interpolations_.find({out_, own});
      if (found != interpolations_.end()) element.interpolation = found->second;
    }
    if (to.size() < most_leaves) to.push_back(std::move(element));
  }

  void fail(const std::string& name, const char* text) {
    if (error_.empty()) error_ = fmt::format("{}:{}: error: '{}' : {}\n", file_, line_, name, text);
  }

  static constexpr std::size_t most_leaves = 1024;  // more than any stage has: refused by what makes the code
  const Interpolations& interpolations_;
  std::string file_;
  std::string error_;
  int line_ = 0;
  bool out_ = false;
  std::string inherited_;  ///< semantic of a whole parameter, for members without one
  std::uint32_t next_index_ = 0;
};

/// What comes to a stage otherwise than through its signature.
bool is_unlisted(const DeclaredElement& element, PipelineStage stage, bool out) {
  const auto is_any = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return same_semantic(element.name, name); });
  };
  if (is_any({"SV_ViewID"})) return true;
  if (out) return false;
  switch (stage) {
    case PipelineStage::hull: return is_any({"SV_OutputControlPointID", "SV_PrimitiveID"});
    case PipelineStage::domain: return is_any({"SV_DomainLocation", "SV_PrimitiveID"});
    case PipelineStage::geometry: return is_any({"SV_GSInstanceID", "SV_PrimitiveID"});
    case PipelineStage::compute: return true;
    default: return false;
  }
}

/// The functions of a module, and what the linker keeps.
class Tree {
 public:
  explicit Tree(const glslang::TIntermediate& tree) {
    const TIntermNode* const root = tree.getTreeRoot();
    const glslang::TIntermAggregate* const all = root != nullptr ? root->getAsAggregate() : nullptr;
    if (all == nullptr) return;
    for (const TIntermNode* node : all->getSequence()) {
      const glslang::TIntermAggregate* const one = node->getAsAggregate();
      if (one == nullptr) continue;
      if (one->getOp() == glslang::EOpFunction) functions_.push_back(one);
      if (one->getOp() == glslang::EOpLinkerObjects) objects_ = one;
    }
  }

  /// By the name before its parameters' types.
  const glslang::TIntermAggregate* function(const std::string& name) const {
    for (const glslang::TIntermAggregate* one : functions_) {
      const std::string whole = one->getName().c_str();
      if (whole.substr(0, whole.find('(')) == name) return one;
    }
    return nullptr;
  }
  const std::vector<const glslang::TIntermAggregate*>& functions() const { return functions_; }

  Interpolations interpolations() const {
    Interpolations found;
    if (objects_ == nullptr) return found;
    for (const TIntermNode* node : objects_->getSequence()) {
      const glslang::TIntermSymbol* const symbol = node->getAsSymbolNode();
      if (symbol == nullptr) continue;
      const glslang::TQualifier& qualifier = symbol->getQualifier();
      const bool passes = qualifier.storage == glslang::EvqVaryingIn || qualifier.storage == glslang::EvqVaryingOut;
      if (!passes || qualifier.semanticName == nullptr) continue;
      found.emplace(std::pair(qualifier.storage == glslang::EvqVaryingOut, qualifier.semanticName),
                    interpolation_of(qualifier));
    }
    return found;
  }

  DeclaredResources resources() const {
    DeclaredResources found;
    if (objects_ == nullptr) return found;
    for (const TIntermNode* node : objects_->getSequence()) {
      const glslang::TIntermSymbol* const symbol = node->getAsSymbolNode();
      if (symbol == nullptr || !symbol->getQualifier().isUniformOrBuffer()) continue;
      const glslang::TType& type = symbol->getType();
      std::string name = symbol->getName().c_str();
      if (name.rfind("anon@", 0) == 0) name = type.getTypeName().c_str();
      if (!symbol->getQualifier().hasBinding()) found.without_register.insert(name);
      if (type.isArray() && type.getArraySizes()->isImplicitlySized()) found.unbounded.insert(name);
    }
    return found;
  }

 private:
  std::vector<const glslang::TIntermAggregate*> functions_;
  const glslang::TIntermAggregate* objects_ = nullptr;
};

std::vector<const glslang::TIntermSymbol*> parameters_of(const glslang::TIntermAggregate& function) {
  std::vector<const glslang::TIntermSymbol*> parameters;
  for (const TIntermNode* node : function.getSequence()) {
    const glslang::TIntermAggregate* const list = node->getAsAggregate();
    if (list == nullptr || list->getOp() != glslang::EOpParameters) continue;
    for (const TIntermNode* one : list->getSequence()) {
      if (const glslang::TIntermSymbol* const symbol = one->getAsSymbolNode()) parameters.push_back(symbol);
    }
  }
  return parameters;
}

bool is_out(const glslang::TIntermSymbol& parameter) {
  const auto storage = parameter.getQualifier().storage;
  return storage == glslang::EvqOut || storage == glslang::EvqInOut;
}

bool is_in(const glslang::TIntermSymbol& parameter) { return parameter.getQualifier().storage != glslang::EvqOut; }

/// An array of a primitive's or a patch's vertices.
bool is_vertices(const glslang::TIntermSymbol& parameter, PipelineStage stage) {
  if (!parameter.getType().isArray()) return false;
  const auto declared = parameter.getQualifier().declaredBuiltIn;
  if (stage == PipelineStage::geometry) return true;
  return declared == glslang::EbvInputPatch || declared == glslang::EbvOutputPatch;
}

struct Interface {
  Elements inputs;
  Elements outputs;
  Elements patch_constants;
  std::uint32_t control_points = 0;
};

std::string result_name(const glslang::TIntermAggregate& function) {
  const std::string name = function.getName().c_str();
  return "the result of " + name.substr(name.front() == '@' ? 1 : 0, name.find('(') - (name.front() == '@' ? 1 : 0));
}

void add_entry(const glslang::TIntermAggregate& function, PipelineStage stage, Collector& collect, Interface& to) {
  for (const glslang::TIntermSymbol* parameter : parameters_of(function)) {
    const std::string name = parameter->getName().c_str();
    const int line = parameter->getLoc().line;
    const bool vertices = is_vertices(*parameter, stage);
    if (vertices) to.control_points = static_cast<std::uint32_t>(std::max(0, parameter->getType().getOuterArraySize()));
    if (is_in(*parameter)) {
      const bool of_patch = stage == PipelineStage::domain && !vertices;
      collect.add(parameter->getType(), name, line, false, vertices, of_patch ? to.patch_constants : to.inputs);
    }
    if (is_out(*parameter)) collect.add(parameter->getType(), name, line, true, false, to.outputs);
  }
  if (function.getType().getBasicType() != glslang::EbtVoid) {
    collect.add(function.getType(), result_name(function), function.getLoc().line, true, false, to.outputs);
  }
}

bool has_factors(const Elements& elements) {
  return std::any_of(elements.begin(), elements.end(),
                     [](const DeclaredElement& one) { return same_semantic(one.name, "SV_TessFactor"); });
}

/// The function of a hull shader that puts out the factors; the entry names it in an attribute that the tree has lost.
void add_patch_function(const Tree& tree, const std::string& entry, Collector& collect, Interface& to) {
  for (const glslang::TIntermAggregate* function : tree.functions()) {
    const std::string name = function->getName().c_str();
    if (name.substr(0, name.find('(')) == "@" + entry) continue;
    Elements found;
    Collector quiet = collect;
    for (const glslang::TIntermSymbol* parameter : parameters_of(*function)) {
      if (is_out(*parameter)) quiet.add(parameter->getType(), parameter->getName().c_str(), 0, true, false, found);
    }
    if (function->getType().getBasicType() != glslang::EbtVoid) {
      quiet.add(function->getType(), result_name(*function), 0, true, false, found);
    }
    if (!has_factors(found)) continue;
    to.patch_constants = std::move(found);
    return;
  }
}

void drop_unlisted(Elements& elements, PipelineStage stage, bool out) {
  const auto unlisted = [&](const DeclaredElement& one) { return is_unlisted(one, stage, out); };
  elements.erase(std::remove_if(elements.begin(), elements.end(), unlisted), elements.end());
}

D3D_PRIMITIVE primitive_of(glslang::TLayoutGeometry geometry) {
  switch (geometry) {
    case glslang::ElgPoints: return D3D_PRIMITIVE_POINT;
    case glslang::ElgLines: return D3D_PRIMITIVE_LINE;
    case glslang::ElgLinesAdjacency: return D3D_PRIMITIVE_LINE_ADJ;
    case glslang::ElgTrianglesAdjacency: return D3D_PRIMITIVE_TRIANGLE_ADJ;
    default: return D3D_PRIMITIVE_TRIANGLE;
  }
}

D3D_PRIMITIVE_TOPOLOGY topology_of(glslang::TLayoutGeometry geometry) {
  if (geometry == glslang::ElgPoints) return D3D_PRIMITIVE_TOPOLOGY_POINTLIST;
  if (geometry == glslang::ElgLineStrip) return D3D_PRIMITIVE_TOPOLOGY_LINESTRIP;
  return D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP;
}

D3D_TESSELLATOR_DOMAIN domain_of(glslang::TLayoutGeometry geometry) {
  if (geometry == glslang::ElgQuads) return D3D_TESSELLATOR_DOMAIN_QUAD;
  if (geometry == glslang::ElgIsolines) return D3D_TESSELLATOR_DOMAIN_ISOLINE;
  return D3D_TESSELLATOR_DOMAIN_TRI;
}

D3D_TESSELLATOR_PARTITIONING partitioning_of(glslang::TVertexSpacing spacing) {
  if (spacing == glslang::EvsFractionalEven) return D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN;
  if (spacing == glslang::EvsFractionalOdd) return D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_ODD;
  return D3D_TESSELLATOR_PARTITIONING_INTEGER;
}

D3D_TESSELLATOR_OUTPUT_PRIMITIVE patch_output_of(const glslang::TIntermediate& tree, D3D_TESSELLATOR_DOMAIN domain) {
  if (tree.getPointMode()) return D3D_TESSELLATOR_OUTPUT_POINT;
  if (domain == D3D_TESSELLATOR_DOMAIN_ISOLINE) return D3D_TESSELLATOR_OUTPUT_LINE;
  return tree.getVertexOrder() == glslang::EvoCw ? D3D_TESSELLATOR_OUTPUT_TRIANGLE_CW
                                                 : D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW;
}

void add_stage(const glslang::TIntermediate& tree, PipelineStage stage, std::uint32_t control_points, ShaderDesc& to) {
  const auto vertices = static_cast<std::uint32_t>(std::max(0, tree.getVertices()));
  switch (stage) {
    case PipelineStage::compute:
      for (int i = 0; i < 3; ++i) to.group.at(static_cast<std::size_t>(i)) = tree.getLocalSize(i);
      break;
    case PipelineStage::geometry:
      to.input_primitive = primitive_of(tree.getInputPrimitive());
      to.output_topology = topology_of(tree.getOutputPrimitive());
      to.most_vertices = vertices;
      break;
    case PipelineStage::hull:
      to.input_control_points = control_points;
      to.output_control_points = vertices;
      to.domain = domain_of(tree.getOutputPrimitive());
      to.partitioning = partitioning_of(tree.getVertexSpacing());
      to.patch_output = patch_output_of(tree, to.domain);
      break;
    case PipelineStage::domain:
      to.input_control_points = control_points;
      to.domain = domain_of(tree.getInputPrimitive());
      break;
    default: break;
  }
}

}  // namespace

std::string add_declared_interface(const glslang::TIntermediate& tree, PipelineStage stage, const std::string& entry,
                                   const std::string& file, ShaderDesc& to) {
  const Tree functions(tree);
  // glslang calls the entry again from a function of the same name, and puts @ before the one that was written.
  const glslang::TIntermAggregate* const function = functions.function("@" + entry);
  if (function == nullptr)
    return fmt::format("{}:1: error: '{}' : expected this entry function, found none\n", file, entry);
  const Interpolations interpolations = functions.interpolations();
  Collector collect(interpolations, file);
  Interface found;
  add_entry(*function, stage, collect, found);
  if (stage == PipelineStage::hull) add_patch_function(functions, entry, collect, found);
  if (!collect.error().empty() && stage != PipelineStage::compute) return collect.error();
  drop_unlisted(found.inputs, stage, false);
  drop_unlisted(found.patch_constants, stage, stage == PipelineStage::hull);
  drop_unlisted(found.outputs, stage, true);
  add_stage(tree, stage, found.control_points, to);
  const bool vertices = stage == PipelineStage::vertex;
  to.inputs = pack_registers(found.inputs, vertices ? Packing::vertices : Packing::stages);
  to.outputs = pack_registers(found.outputs, stage == PipelineStage::pixel ? Packing::targets : Packing::stages);
  to.patch_constants = pack_registers(found.patch_constants, Packing::stages);
  return {};
}

DeclaredResources declared_resources(const glslang::TIntermediate& tree) { return Tree(tree).resources(); }

}  // namespace fenceline::d3d12
