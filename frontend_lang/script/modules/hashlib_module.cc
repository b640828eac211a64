// hashlib: digests, by OpenSSL.
#include <openssl/evp.h>

#include <memory>
#include <string>

#include <fmt/format.h>

#include "frontend_lang/script/builtins/arguments.h"
#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/modules/standard_modules.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::script {
namespace {

struct Algorithm {
  std::string_view name;     // as hashlib says it
  const char* openssl_name;  // as OpenSSL does
};
constexpr Algorithm kAlgorithms[] = {
    {"md5", "MD5"},           {"sha1", "SHA1"},          {"sha224", "SHA224"},
    {"sha256", "SHA256"},     {"sha384", "SHA384"},      {"sha512", "SHA512"},
    {"sha3_224", "SHA3-224"}, {"sha3_256", "SHA3-256"},  {"sha3_384", "SHA3-384"},
    {"sha3_512", "SHA3-512"}, {"blake2b", "BLAKE2b512"}, {"blake2s", "BLAKE2s256"},
};

class Digest final : public lang::Extension {
 public:
  Digest(Heap& heap, const Algorithm& algorithm)
      : Extension(heap, lang::Type::kExtension), algorithm_(algorithm), state_(EVP_MD_CTX_new()) {}

  std::string_view TypeName() const override { return "_hashlib.HASH"; }
  Outcome<Value> GetAttr(Host& host, std::string_view name) override;

  // False where this OpenSSL has no such algorithm.
  bool Begin() {
    const EVP_MD* type = EVP_get_digestbyname(algorithm_.openssl_name);
    return type != nullptr && EVP_DigestInit_ex(state_.get(), type, nullptr) == 1;
  }
  void Add(std::string_view bytes) { EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()); }
  void CopyTo(Digest& to) const { EVP_MD_CTX_copy_ex(to.state_.get(), state_.get()); }
  const Algorithm& algorithm() const { return algorithm_; }
  std::string Result() const {
    const State copy(EVP_MD_CTX_new());
    EVP_MD_CTX_copy_ex(copy.get(), state_.get());
    std::string out(EVP_MAX_MD_SIZE, '\0');
    unsigned int size = 0;
    EVP_DigestFinal_ex(copy.get(), reinterpret_cast<unsigned char*>(out.data()), &size);
    out.resize(size);
    return out;
  }

 private:
  struct Freer {
    void operator()(EVP_MD_CTX* state) const { EVP_MD_CTX_free(state); }
  };
  using State = std::unique_ptr<EVP_MD_CTX, Freer>;

  const Algorithm& algorithm_;
  State state_;
};

Digest& DigestOf(const Value& self) { return *Exactly<Digest>(self); }

Fault AddArgument(Host& host, Digest& digest, const Value& argument) {
  if (argument.is_str()) return lang::TypeError("Strings must be encoded before hashing");
  if (AsBytes(argument) == nullptr) {
    return lang::TypeError("object supporting the buffer API required");
  }
  ESP_TRY_ASSIGN(const std::string_view bytes, BytesArgument(argument));
  ESP_TRY(host.Step(static_cast<std::int64_t>(bytes.size() / 512)));
  digest.Add(bytes);
  return Fault();
}

Outcome<Value> Update(Host& host, const Value& self, const Args& args) {
  ESP_TRY(CheckPositional("update", args, 1, 1));
  ESP_TRY(AddArgument(host, DigestOf(self), args.positional[0]));
  return Value();
}

Outcome<Value> DigestBytes(Host& host, const Value& self, const Args&) {
  return host.heap().New<Bytes>(DigestOf(self).Result());
}

Outcome<Value> HexDigest(Host& host, const Value& self, const Args&) {
  std::string out;
  for (const char c : DigestOf(self).Result()) {
    out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return lang::MakeStr(host.heap(), std::move(out));
}

Outcome<Value> Copy(Host& host, const Value& self, const Args&) {
  Value made = host.heap().New<Digest>(DigestOf(self).algorithm());
  DigestOf(self).CopyTo(DigestOf(made));
  return made;
}

Outcome<Value> Digest::GetAttr(Host& host, std::string_view name) {
  constexpr ModuleFunction kMethods[] = {
      {"update", Update}, {"digest", DigestBytes}, {"hexdigest", HexDigest}, {"copy", Copy}};
  for (const ModuleFunction& row : kMethods) {
    if (row.name == name) {
      return host.heap().New<lang::NativeFunction>(row.name, row.code, Value(this));
    }
  }
  if (name == "name") return lang::MakeStr(host.heap(), algorithm_.name);
  if (name == "digest_size") return Value::Int(static_cast<std::int64_t>(Result().size()));
  if (name == "block_size") return Value::Int(EVP_MD_CTX_block_size(state_.get()));
  return Value::Unset();
}

Outcome<Value> NewDigest(Host& host, const Algorithm& algorithm, const Value& begin) {
  Value made = host.heap().New<Digest>(algorithm);
  if (!DigestOf(made).Begin()) {
    return lang::ValueError(fmt::format("unsupported hash type {}", algorithm.name));
  }
  if (!begin.is_unset()) ESP_TRY(AddArgument(host, DigestOf(made), begin));
  return made;
}

template <std::size_t row>
Outcome<Value> MakeDigest(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments(kAlgorithms[row].name, args, {"string", "usedforsecurity"}, 0));
  return NewDigest(host, kAlgorithms[row], bound[0]);
}

Outcome<Value> MakeNamed(Host& host, const Value&, const Args& args) {
  ESP_TRY_ASSIGN(const auto bound,
                 BindArguments("new", args, {"name", "data", "usedforsecurity"}, 1));
  const std::string_view name = bound[0].is_str() ? lang::TextOf(bound[0]) : "";
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.name == name) return NewDigest(host, algorithm, bound[1]);
  }
  return lang::ValueError(fmt::format("unsupported hash type {}", name));
}

template <std::size_t... rows>
void AddDigests(Module& module, std::index_sequence<rows...>) {
  (module.AddFunction(kAlgorithms[rows].name, MakeDigest<rows>), ...);
}

}  // namespace

Value MakeHashlibModule(Machine& machine) {
  constexpr ModuleFunction kFunctions[] = {{"new", MakeNamed}};
  const Value module = NewModule(machine, "hashlib", kFunctions);
  AddDigests(ModuleOf(module), std::make_index_sequence<std::size(kAlgorithms)>());
  return module;
}

}  // namespace espalier::script
