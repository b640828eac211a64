// The table of str's methods (frontend_lang/script/values/text/str_methods.h has their groups).
#include "frontend_lang/script/values/text/str_methods.h"

#include "frontend_lang/script/bytes/bytes.h"
#include "frontend_lang/script/bytes/codec.h"
#include "frontend_lang/script/values/methods.h"
#include "frontend_lang/script/values/text/str.h"

namespace espalier::lang {
namespace {

Outcome<Value> Encode(Host& host, const Value& self, std::span<const Value> args) {
  const std::string_view text = TextOf(self);
  ESP_TRY(host.Reserve(static_cast<std::int64_t>(text.size()), 10));
  ESP_TRY(host.Step(static_cast<std::int64_t>(text.size() / 1024)));
  ESP_TRY_ASSIGN(std::string bytes, script::EncodeText(text, args[0], args[1]));
  return host.heap().New<script::Bytes>(std::move(bytes));
}

constexpr Method kStrMethods[] = {
    {"capitalize", 0, 0, str_methods::Capitalize},
    {"casefold", 0, 0, str_methods::CaseFold},
    {"center", 1, 2, str_methods::Center},
    {"count", 1, 3, str_methods::Count, {}, nullptr, CountWording::kTakes},
    {"encode", 0, 2, Encode, "encoding errors"},
    {"endswith", 1, 3, str_methods::EndsWith, {}, nullptr, CountWording::kTakes},
    {"expandtabs", 0, 1, str_methods::ExpandTabs, "tabsize"},
    {"find", 1, 3, str_methods::Find, {}, nullptr, CountWording::kTakes},
    {.name = "format", .raw_code = str_methods::Format},
    {"format_map", 1, 1, str_methods::FormatMap},
    {"index", 1, 3, str_methods::Index, {}, nullptr, CountWording::kTakes},
    {"isalnum", 0, 0, str_methods::IsAlnum},
    {"isalpha", 0, 0, str_methods::IsAlpha},
    {"isascii", 0, 0, str_methods::IsAscii},
    {"isdecimal", 0, 0, str_methods::IsDecimal},
    {"isdigit", 0, 0, str_methods::IsDigit},
    {"isidentifier", 0, 0, str_methods::IsIdentifier},
    {"islower", 0, 0, str_methods::IsLower},
    {"isnumeric", 0, 0, str_methods::IsNumeric},
    {"isprintable", 0, 0, str_methods::IsPrintable},
    {"isspace", 0, 0, str_methods::IsSpace},
    {"istitle", 0, 0, str_methods::IsTitle},
    {"isupper", 0, 0, str_methods::IsUpper},
    {"join", 1, 1, str_methods::Join},
    {"ljust", 1, 2, str_methods::LJust},
    {"lower", 0, 0, str_methods::Lower},
    {"lstrip", 0, 1, str_methods::LStrip},
    {"maketrans", 1, 3, str_methods::MakeTrans},
    {"partition", 1, 1, str_methods::Partition},
    {"removeprefix", 1, 1, str_methods::RemovePrefix},
    {"removesuffix", 1, 1, str_methods::RemoveSuffix},
    {"replace", 2, 3, str_methods::Replace},
    {"rfind", 1, 3, str_methods::RFind, {}, nullptr, CountWording::kTakes},
    {"rindex", 1, 3, str_methods::RIndex, {}, nullptr, CountWording::kTakes},
    {"rjust", 1, 2, str_methods::RJust},
    {"rpartition", 1, 1, str_methods::RPartition},
    {"rsplit", 0, 2, str_methods::RSplit, "sep maxsplit"},
    {"rstrip", 0, 1, str_methods::RStrip},
    {"split", 0, 2, str_methods::Split, "sep maxsplit"},
    {"splitlines", 0, 1, str_methods::SplitLines, "keepends"},
    {"startswith", 1, 3, str_methods::StartsWith, {}, nullptr, CountWording::kTakes},
    {"strip", 0, 1, str_methods::Strip},
    {"swapcase", 0, 0, str_methods::SwapCase},
    {"title", 0, 0, str_methods::Title},
    {"translate", 1, 1, str_methods::Translate},
    {"upper", 0, 0, str_methods::Upper},
    {"zfill", 1, 1, str_methods::ZFill},
};

}  // namespace

std::span<const Method> StrMethods() { return kStrMethods; }

}  // namespace espalier::lang
