#include "grammar/regex/unicode_property.h"

#include <utf8proc.h>

#include <span>
#include <utility>
#include <vector>

#include "grammar/regex/unicode_binary.h"
#include "grammar/regex/unicode_tables.h"

namespace espalier {
namespace {

using Range = CodePointSet::Range;

constexpr std::uint32_t Bit(utf8proc_category_t category) { return std::uint32_t{1} << category; }

// General categories are numbered by utf8proc in groups that stand together.
constexpr std::uint32_t Bits(utf8proc_category_t first, utf8proc_category_t last) {
  std::uint32_t bits = 0;
  for (int i = first; i <= last; ++i) bits |= std::uint32_t{1} << i;
  return bits;
}

struct Category {
  std::string_view name, long_name;
  std::uint32_t bits;
};

constexpr std::uint32_t kCased = Bits(UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LT);
constexpr std::uint32_t kLetters = Bits(UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
constexpr std::uint32_t kNumbers = Bits(UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
constexpr std::uint32_t kOthers =
    Bits(UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO) | Bit(UTF8PROC_CATEGORY_CN);

constexpr Category kCategories[] = {
    {"L", "Letter", kLetters},
    {"LC", "Cased_Letter", kCased},
    {"Lu", "Uppercase_Letter", Bit(UTF8PROC_CATEGORY_LU)},
    {"Ll", "Lowercase_Letter", Bit(UTF8PROC_CATEGORY_LL)},
    {"Lt", "Titlecase_Letter", Bit(UTF8PROC_CATEGORY_LT)},
    {"Lm", "Modifier_Letter", Bit(UTF8PROC_CATEGORY_LM)},
    {"Lo", "Other_Letter", Bit(UTF8PROC_CATEGORY_LO)},
    {"M", "Mark", Bits(UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME)},
    {"M", "Combining_Mark", Bits(UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME)},
    {"Mn", "Nonspacing_Mark", Bit(UTF8PROC_CATEGORY_MN)},
    {"Mc", "Spacing_Mark", Bit(UTF8PROC_CATEGORY_MC)},
    {"Me", "Enclosing_Mark", Bit(UTF8PROC_CATEGORY_ME)},
    {"N", "Number", kNumbers},
    {"Nd", "Decimal_Number", Bit(UTF8PROC_CATEGORY_ND)},
    {"Nd", "digit", Bit(UTF8PROC_CATEGORY_ND)},
    {"Nl", "Letter_Number", Bit(UTF8PROC_CATEGORY_NL)},
    {"No", "Other_Number", Bit(UTF8PROC_CATEGORY_NO)},
    {"P", "Punctuation", Bits(UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO)},
    {"P", "punct", Bits(UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO)},
    {"Pc", "Connector_Punctuation", Bit(UTF8PROC_CATEGORY_PC)},
    {"Pd", "Dash_Punctuation", Bit(UTF8PROC_CATEGORY_PD)},
    {"Ps", "Open_Punctuation", Bit(UTF8PROC_CATEGORY_PS)},
    {"Pe", "Close_Punctuation", Bit(UTF8PROC_CATEGORY_PE)},
    {"Pi", "Initial_Punctuation", Bit(UTF8PROC_CATEGORY_PI)},
    {"Pf", "Final_Punctuation", Bit(UTF8PROC_CATEGORY_PF)},
    {"Po", "Other_Punctuation", Bit(UTF8PROC_CATEGORY_PO)},
    {"S", "Symbol", Bits(UTF8PROC_CATEGORY_SM, UTF8PROC_CATEGORY_SO)},
    {"Sm", "Math_Symbol", Bit(UTF8PROC_CATEGORY_SM)},
    {"Sc", "Currency_Symbol", Bit(UTF8PROC_CATEGORY_SC)},
    {"Sk", "Modifier_Symbol", Bit(UTF8PROC_CATEGORY_SK)},
    {"So", "Other_Symbol", Bit(UTF8PROC_CATEGORY_SO)},
    {"Z", "Separator", Bits(UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP)},
    {"Zs", "Space_Separator", Bit(UTF8PROC_CATEGORY_ZS)},
    {"Zl", "Line_Separator", Bit(UTF8PROC_CATEGORY_ZL)},
    {"Zp", "Paragraph_Separator", Bit(UTF8PROC_CATEGORY_ZP)},
    {"C", "Other", kOthers},
    {"Cc", "Control", Bit(UTF8PROC_CATEGORY_CC)},
    {"Cc", "cntrl", Bit(UTF8PROC_CATEGORY_CC)},
    {"Cf", "Format", Bit(UTF8PROC_CATEGORY_CF)},
    {"Cs", "Surrogate", Bit(UTF8PROC_CATEGORY_CS)},
    {"Co", "Private_Use", Bit(UTF8PROC_CATEGORY_CO)},
    {"Cn", "Unassigned", Bit(UTF8PROC_CATEGORY_CN)},
    {"Assigned", "Assigned", ~Bit(UTF8PROC_CATEGORY_CN)},
};

struct CategoryRun {
  Range range;
  std::uint32_t bit;
};

std::vector<CategoryRun> MakeCategoryRuns() {
  std::vector<CategoryRun> runs;
  for (char32_t c = 0; c <= CodePointSet::kMax; ++c) {
    const std::uint32_t bit = Bit(utf8proc_category(static_cast<utf8proc_int32_t>(c)));
    if (!runs.empty() && runs.back().bit == bit) {
      runs.back().range.last = c;
    } else {
      runs.push_back({{c, c}, bit});
    }
  }
  return runs;
}

CodePointSet CategorySet(std::uint32_t bits) {
  static const std::vector<CategoryRun> runs = MakeCategoryRuns();
  std::vector<Range> ranges;
  for (const CategoryRun& run : runs) {
    if ((run.bit & bits) != 0) ranges.push_back(run.range);
  }
  return CodePointSet::FromRanges(std::move(ranges));
}

CodePointSet FromSpan(std::span<const Range> ranges) {
  return CodePointSet::FromRanges({ranges.begin(), ranges.end()});
}

std::optional<CodePointSet> FindCategory(std::string_view name) {
  for (const Category& category : kCategories) {
    if (name == category.name || name == category.long_name) return CategorySet(category.bits);
  }
  return std::nullopt;
}

std::optional<CodePointSet> FindScript(std::string_view name) {
  for (const UnicodeScript& script : UnicodeScripts()) {
    if (name == script.name || name == script.short_name) return FromSpan(script.ranges);
  }
  return std::nullopt;
}

// Category Z, written out: \s is common, and the table of all categories takes milliseconds.
constexpr Range kSeparators[] = {{0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680},
                                 {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                                 {0x205F, 0x205F}, {0x3000, 0x3000}};

CodePointSet WhiteSpace() {
  return FromSpan(kSeparators).Union(FromSpan(std::vector<Range>{{0x09, 0x0D}, {0x85, 0x85}}));
}

CodePointSet Without(const CodePointSet& all, std::span<const Range> excluded) {
  return all.Intersect(FromSpan(excluded).Complement());
}

// What ID_Start and ID_Continue hold beyond their general categories, and what XID_Start and
// XID_Continue leave out of those.
constexpr Range kOtherIdStart[] = {
    {0x1885, 0x1886},
    {0x2118, 0x2118},
    {0x212E, 0x212E},
    {0x309B, 0x309C},
};
constexpr Range kOtherIdContinue[] = {
    {0xB7, 0xB7},     {0x387, 0x387},   {0x1369, 0x1371}, {0x19DA, 0x19DA},
    {0x200C, 0x200D}, {0x30FB, 0x30FB}, {0xFF65, 0xFF65},
};
constexpr Range kNotXidStart[] = {
    {0x37A, 0x37A},   {0xE33, 0xE33},   {0xEB3, 0xEB3},   {0x309B, 0x309C}, {0xFC5E, 0xFC63},
    {0xFDFA, 0xFDFB}, {0xFE70, 0xFE70}, {0xFE72, 0xFE72}, {0xFE74, 0xFE74}, {0xFE76, 0xFE76},
    {0xFE78, 0xFE78}, {0xFE7A, 0xFE7A}, {0xFE7C, 0xFE7C}, {0xFE7E, 0xFE7E}, {0xFF9E, 0xFF9F},
};
constexpr Range kNotXidContinue[] = {
    {0x37A, 0x37A},   {0x309B, 0x309C}, {0xFC5E, 0xFC63}, {0xFDFA, 0xFDFB},
    {0xFE70, 0xFE70}, {0xFE72, 0xFE72}, {0xFE74, 0xFE74}, {0xFE76, 0xFE76},
    {0xFE78, 0xFE78}, {0xFE7A, 0xFE7A}, {0xFE7C, 0xFE7C}, {0xFE7E, 0xFE7E},
};

CodePointSet IdStart() {
  constexpr Range kNoStart[] = {{0x2E2F, 0x2E2F}};  // a letter that is syntax
  const CodePointSet letters = CategorySet(kLetters | Bit(UTF8PROC_CATEGORY_NL));
  return Without(letters, kNoStart).Union(FromSpan(kOtherIdStart));
}

CodePointSet IdContinue() {
  const std::uint32_t more = Bits(UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC) |
                             Bit(UTF8PROC_CATEGORY_ND) | Bit(UTF8PROC_CATEGORY_PC);
  return IdStart().Union(CategorySet(more)).Union(FromSpan(kOtherIdContinue));
}

// The properties of identifiers, and those that are plain tables.
std::optional<CodePointSet> FindIdentifier(std::string_view name) {
  if (name == "ID_Start" || name == "IDS") return IdStart();
  if (name == "ID_Continue" || name == "IDC") return IdContinue();
  if (name == "XID_Start" || name == "XIDS") return Without(IdStart(), kNotXidStart);
  if (name == "XID_Continue" || name == "XIDC") return Without(IdContinue(), kNotXidContinue);
  for (const BinaryProperty& property : BinaryProperties()) {
    if (name == property.name || name == property.short_name) return FromSpan(property.ranges);
  }
  return std::nullopt;
}

std::optional<CodePointSet> FindBinary(std::string_view name) {
  if (name == "Any") return CodePointSet::All();
  if (name == "ASCII") return CodePointSet::Of(0, 0x7F);
  if (name == "ASCII_Hex_Digit" || name == "AHex") {
    return FromSpan(std::vector<Range>{{'0', '9'}, {'A', 'F'}, {'a', 'f'}});
  }
  if (name == "Alphabetic" || name == "Alpha") {
    return CategorySet(kLetters | Bit(UTF8PROC_CATEGORY_NL)).Union(FromSpan(OtherAlphabetic()));
  }
  if (name == "Lowercase" || name == "Lower") {
    return CategorySet(Bit(UTF8PROC_CATEGORY_LL)).Union(FromSpan(OtherLowercase()));
  }
  if (name == "Uppercase" || name == "Upper") {
    return CategorySet(Bit(UTF8PROC_CATEGORY_LU)).Union(FromSpan(OtherUppercase()));
  }
  if (name == "White_Space" || name == "space") return WhiteSpace();
  if (name == "Math") return CategorySet(Bit(UTF8PROC_CATEGORY_SM)).Union(FromSpan(OtherMath()));
  if (name == "Cased") {
    return FindBinary("Lowercase")
        ->Union(*FindBinary("Uppercase"))
        .Union(CategorySet(Bit(UTF8PROC_CATEGORY_LT)));
  }
  return FindIdentifier(name);
}

}  // namespace

std::optional<CodePointSet> UnicodeProperty(std::string_view expression) {
  const std::size_t equals = expression.find('=');
  if (equals != std::string_view::npos) {
    const std::string_view key = expression.substr(0, equals);
    const std::string_view value = expression.substr(equals + 1);
    if (key == "Script" || key == "sc") return FindScript(value);
    if (key == "General_Category" || key == "gc") {
      return value == "Assigned" ? std::nullopt : FindCategory(value);
    }
    return std::nullopt;
  }
  if (auto category = FindCategory(expression)) return category;
  return FindBinary(expression);
}

CodePointSet DigitChars(ClassStyle style) {
  if (style == ClassStyle::kUnicode) return CategorySet(Bit(UTF8PROC_CATEGORY_ND));
  return CodePointSet::Of('0', '9');
}

// Python's str.isalnum: letters and whatever has a numeric value.
CodePointSet WordChars(ClassStyle style) {
  if (style == ClassStyle::kUnicode) {
    static const CodePointSet word = CategorySet(kLetters | kNumbers).Union(CodePointSet::Of('_'));
    return word;
  }
  return FromSpan(std::vector<Range>{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
}

CodePointSet SpaceChars(ClassStyle style) {
  const CodePointSet ascii = FromSpan(std::vector<Range>{{0x09, 0x0D}, {' ', ' '}});
  if (style == ClassStyle::kAscii) return ascii;
  if (style == ClassStyle::kUnicode) return WhiteSpace().Union(CodePointSet::Of(0x1C, 0x1F));
  return ascii.Union(FromSpan(kSeparators)).Union(CodePointSet::Of(0xFEFF));
}

}  // namespace espalier
