#include "runtime/model/gguf.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/model/byte_reader.h"
#include "runtime/model/gguf_metadata.h"
#include "runtime/model/mapped_file.h"

namespace espalier {
namespace {

using Tensor = Gguf::Tensor;

constexpr std::int64_t kDefaultAlignment = 32;

Status Broken(std::string message) { return Status(Code::kDataLoss, std::move(message)); }

Status BrokenTensor(std::string_view name, const std::string& what) {
  return Broken("tensor '" + std::string(name) + "' " + what);
}

// Reads the magic and the version.
Status CheckVersion(ByteReader& reader) {
  std::string_view magic;
  std::uint32_t version = 0;
  if (!reader.ReadBytes(4, magic) || magic != "GGUF") {
    return Broken("is not a GGUF file (it does not start with the letters GGUF)");
  }
  if (!reader.Read(version)) return Broken("ends inside the version field");
  if (version == 2 || version == 3) return Status();
  if ((version & 0xffff) == 0) {
    return Status(Code::kUnsupported, "is a big-endian GGUF file; convert it to little-endian");
  }
  return Status(Code::kUnsupported,
                "has GGUF version " + std::to_string(version) + "; versions 2 and 3 are supported");
}

const DTypeTraits* FindType(std::uint32_t gguf_id) {
  const auto* it = std::find_if(kDTypeTraits.begin(), kDTypeTraits.end(),
                                [&](const DTypeTraits& type) { return type.gguf_id == gguf_id; });
  return it == kDTypeTraits.end() ? nullptr : it;
}

Status ReadDims(ByteReader& reader, Tensor& tensor) {
  std::uint32_t num_dims = 0;
  if (!reader.Read(num_dims)) return BrokenTensor(tensor.name, "is cut off (file truncated)");
  if (num_dims < 1 || num_dims > Gguf::kMaxDims) {
    return BrokenTensor(tensor.name, "has " + std::to_string(num_dims) + " dimensions, not 1 to 4");
  }
  std::int64_t num_elements = 1;
  for (std::uint32_t i = 0; i < num_dims; ++i) {
    std::int64_t dim = 0;
    if (!reader.Read(dim)) return BrokenTensor(tensor.name, "is cut off (file truncated)");
    if (dim < 1 || __builtin_mul_overflow(num_elements, dim, &num_elements)) {
      return BrokenTensor(tensor.name, "has an impossible size in dimension " + std::to_string(i));
    }
    tensor.dims.push_back(dim);
  }
  tensor.view.columns = tensor.dims[0];
  tensor.view.rows = num_elements / tensor.dims[0];
  return Status();
}

Status ReadType(ByteReader& reader, Tensor& tensor) {
  std::uint32_t id = 0;
  if (!reader.Read(id)) return BrokenTensor(tensor.name, "is cut off (file truncated)");
  const DTypeTraits* type = FindType(id);
  if (type == nullptr) {
    return Status(Code::kUnsupported, "tensor '" + std::string(tensor.name) + "' has type id " +
                                          std::to_string(id) + ", which is not supported");
  }
  if (tensor.view.columns % type->block_size != 0) {
    return BrokenTensor(tensor.name, "has rows of " + std::to_string(tensor.view.columns) +
                                         " elements, no multiple of the block of " + type->name);
  }
  tensor.view.dtype = type->dtype;
  return Status();
}

// One entry of the tensor list; `begin` is its place relative to the data.
Status ReadTensor(ByteReader& reader, std::uint64_t number, Tensor& tensor, std::uint64_t& begin) {
  if (!reader.ReadString(tensor.name) || tensor.name.empty() ||
      tensor.name.size() > Gguf::kMaxTensorNameBytes ||
      !std::all_of(tensor.name.begin(), tensor.name.end(),
                   [](char c) { return c > ' ' && c < 0x7f; })) {
    return Broken("tensor " + std::to_string(number) +
                  " has no valid name (file truncated or corrupt)");
  }
  ESP_RETURN_IF_ERROR(ReadDims(reader, tensor));
  ESP_RETURN_IF_ERROR(ReadType(reader, tensor));
  if (!reader.Read(begin)) return BrokenTensor(tensor.name, "is cut off (file truncated)");
  return Status();
}

// The tensor's bytes inside `data`, or what is wrong with them.
Status Place(std::string_view data, std::uint64_t begin, std::int64_t alignment, Tensor& tensor) {
  if (begin % static_cast<std::uint64_t>(alignment) != 0) {
    return BrokenTensor(tensor.name, "starts at offset " + std::to_string(begin) +
                                         ", no multiple of the alignment " +
                                         std::to_string(alignment));
  }
  const DTypeTraits& type = Traits(tensor.view.dtype);
  std::int64_t size = 0;
  if (__builtin_mul_overflow(tensor.view.columns / type.block_size, type.block_bytes, &size) ||
      __builtin_mul_overflow(size, tensor.view.rows, &size) || begin > data.size() ||
      static_cast<std::uint64_t>(size) > data.size() - begin) {
    return BrokenTensor(tensor.name, "reaches past the end of the file (truncated download?)");
  }
  tensor.view.data = data.data() + begin;
  return Status();
}

Status CheckOverlap(std::span<const Tensor> tensors) {
  std::vector<const Tensor*> by_place;
  for (const Tensor& tensor : tensors) by_place.push_back(&tensor);
  const auto start = [](const Tensor* t) { return static_cast<const char*>(t->view.data); };
  std::sort(by_place.begin(), by_place.end(),
            [&](const Tensor* a, const Tensor* b) { return start(a) < start(b); });
  for (std::size_t i = 1; i < by_place.size(); ++i) {
    if (start(by_place[i - 1]) + by_place[i - 1]->view.size_bytes() > start(by_place[i])) {
      return BrokenTensor(by_place[i]->name,
                          "overlaps tensor '" + std::string(by_place[i - 1]->name) + "'");
    }
  }
  return Status();
}

Status SortByName(std::vector<Tensor>& tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
  const auto twin =
      std::adjacent_find(tensors.begin(), tensors.end(),
                         [](const Tensor& a, const Tensor& b) { return a.name == b.name; });
  if (twin == tensors.end()) return Status();
  return BrokenTensor(twin->name, "stands twice in the file");
}

// Row length alone would let f32 data lie at odd addresses, so 8 is the least.
Result<std::int64_t> Alignment(const GgufMetadata& metadata) {
  ESP_ASSIGN_OR_RETURN(const auto stored, metadata.GetInt("general.alignment"));
  const std::int64_t alignment = stored.value_or(kDefaultAlignment);
  if (alignment < 8 || alignment > 65536 ||
      !std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
    return Broken("metadata key 'general.alignment' is " + std::to_string(alignment) +
                  ", not a power of two from 8 to 65536");
  }
  return alignment;
}

Status RefuseSplit(const GgufMetadata& metadata) {
  ESP_ASSIGN_OR_RETURN(const auto count, metadata.GetInt("split.count"));
  if (count.value_or(1) <= 1) return Status();
  return Status(Code::kUnsupported, "is one of " + std::to_string(*count) +
                                        " parts of a split model (split.count); merge the parts "
                                        "into one file first");
}

}  // namespace

struct Gguf::Contents {
  std::optional<MappedFile> file;
  std::string image;  // where there is no file
  std::string_view bytes;
  GgufMetadata metadata;
};

Gguf::Gguf() : contents_(std::make_unique<Contents>()) {}
Gguf::~Gguf() = default;

Result<std::shared_ptr<const Gguf>> Gguf::Open(const std::string& path) {
  ESP_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  const std::shared_ptr<Gguf> gguf(new Gguf);  // the constructor is private
  gguf->contents_->bytes = file.bytes();
  gguf->contents_->file = std::move(file);
  if (const Status status = gguf->Parse(); !status.ok()) {
    return Status(status.code(), path + ": " + status.message());
  }
  return std::shared_ptr<const Gguf>(gguf);
}

Result<std::shared_ptr<const Gguf>> Gguf::FromMemory(std::string image) {
  const std::shared_ptr<Gguf> gguf(new Gguf);  // the constructor is private
  gguf->contents_->image = std::move(image);
  gguf->contents_->bytes = gguf->contents_->image;
  ESP_RETURN_IF_ERROR(gguf->Parse());
  return std::shared_ptr<const Gguf>(gguf);
}

Status Gguf::Parse() {
  const std::string_view file = contents_->bytes;
  ByteReader reader(file);
  std::uint64_t num_tensors = 0;
  std::uint64_t num_entries = 0;
  ESP_RETURN_IF_ERROR(CheckVersion(reader));
  if (!reader.Read(num_tensors) || !reader.Read(num_entries)) return Broken("ends in its header");
  if (num_tensors > kMaxTensors) {
    return Broken("the header claims " + std::to_string(num_tensors) +
                  " tensors, over the limit of " + std::to_string(kMaxTensors));
  }
  ESP_ASSIGN_OR_RETURN(contents_->metadata, GgufMetadata::Parse(file, num_entries, reader));
  ESP_RETURN_IF_ERROR(RefuseSplit(contents_->metadata));
  ESP_ASSIGN_OR_RETURN(const std::int64_t alignment, Alignment(contents_->metadata));

  std::vector<std::uint64_t> begins;
  for (std::uint64_t i = 0; i < num_tensors; ++i) {
    Tensor tensor;
    std::uint64_t begin = 0;
    ESP_RETURN_IF_ERROR(ReadTensor(reader, i, tensor, begin));
    tensors_.push_back(std::move(tensor));
    begins.push_back(begin);
  }
  const std::size_t mask = static_cast<std::size_t>(alignment) - 1;
  const std::size_t data_start = std::min((reader.offset() + mask) & ~mask, file.size());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    ESP_RETURN_IF_ERROR(Place(file.substr(data_start), begins[i], alignment, tensors_[i]));
  }
  ESP_RETURN_IF_ERROR(SortByName(tensors_));
  return CheckOverlap(tensors_);
}

Result<std::optional<std::int64_t>> Gguf::GetInt(std::string_view key) const {
  return contents_->metadata.GetInt(key);
}
Result<std::optional<double>> Gguf::GetFloat(std::string_view key) const {
  return contents_->metadata.GetFloat(key);
}
Result<std::optional<bool>> Gguf::GetBool(std::string_view key) const {
  return contents_->metadata.GetBool(key);
}
Result<std::optional<std::string_view>> Gguf::GetString(std::string_view key) const {
  return contents_->metadata.GetString(key);
}
Result<std::optional<std::vector<std::string_view>>> Gguf::GetStrings(std::string_view key) const {
  return contents_->metadata.GetStrings(key);
}
Result<std::optional<std::vector<std::int64_t>>> Gguf::GetInts(std::string_view key) const {
  return contents_->metadata.GetInts(key);
}
Result<std::optional<std::vector<float>>> Gguf::GetFloats(std::string_view key) const {
  return contents_->metadata.GetFloats(key);
}

const Gguf::Tensor* Gguf::FindTensor(std::string_view name) const {
  const auto it = std::lower_bound(tensors_.begin(), tensors_.end(), name,
                                   [](const Tensor& t, std::string_view n) { return t.name < n; });
  return it != tensors_.end() && it->name == name ? &*it : nullptr;
}

std::int64_t Gguf::file_bytes() const { return std::ssize(contents_->bytes); }
std::string_view Gguf::bytes() const { return contents_->bytes; }

void Gguf::DropPages() const {
  if (contents_->file) contents_->file->DropPages();
}

}  // namespace espalier
