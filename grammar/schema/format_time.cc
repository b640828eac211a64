// Dates and times of RFC 3339, durations of its appendix A.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/schema/format_pattern.h"

namespace espalier {
namespace {

constexpr std::string_view kDate =
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    // A leap year is a multiple of 4, and of 400 if it is one of 100.
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29";
constexpr std::string_view kFraction = R"((?:\.[0-9]+)?)";
constexpr std::string_view kHour = "(?:[01][0-9]|2[0-3])";

std::string TwoDigits(int value) {
  return {static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
}

std::string HourAndMinute(int minutes) {
  return TwoDigits(minutes / 60) + ":" + TwoDigits(minutes % 60);
}

RegexId NormalTime(TextRegex& text) {
  std::string pattern;
  pattern.append(kHour).append(":[0-5][0-9]:[0-5][0-9]").append(kFraction);
  pattern.append("(?:[zZ]|[+-]").append(kHour).append(":[0-5][0-9])");
  return FullMatch(pattern, text);
}

// A leap second is 23:59:60 in UTC. West of Greenwich, and there, it belongs to the same
// day; east of it to the next.
enum class LeapDay { kSame, kNext };

RegexId LeapSecond(LeapDay day, TextRegex& text) {
  constexpr int kDay = 24 * 60;
  constexpr int kStep = 30;
  std::vector<RegexId> parts;
  const RegexId fraction = FullMatch(kFraction, text);
  const auto add = [&](int local, std::string_view sign, int offset) {
    parts.push_back(
        text.set().Concat(std::array{text.Literal(HourAndMinute(local) + ":60"), fraction,
                                     text.Literal(std::string(sign) + HourAndMinute(offset))}));
  };
  for (int offset = kStep; offset < kDay; offset += kStep) {
    if (day == LeapDay::kSame) add(kDay - 1 - offset, "-", offset);
    if (day == LeapDay::kNext) add(offset - 1, "+", offset);
  }
  if (day == LeapDay::kSame) {
    std::string pattern = "23:59:60";
    parts.push_back(FullMatch(pattern.append(kFraction).append("(?:[zZ]|[+-]00:00)"), text));
  }
  return text.set().Or(parts);
}

// RFC 3339 has a year 0; the calendars of most programs have not, so it is read and not written.
RegexId Dates(std::string_view pattern, TextRegex& text) {
  const RegexId dates = FullMatch(pattern, text);
  if (text.spelling() != Spelling::kJsonStringShortest) return dates;
  return text.set().And(dates, text.Not(FullMatch("0000-.*", text)));
}

}  // namespace

RegexId DateFormat(TextRegex& text) { return Dates(kDate, text); }

RegexId TimeFormat(TextRegex& text) {
  return text.set().Or(std::array{NormalTime(text), LeapSecond(LeapDay::kSame, text),
                                  LeapSecond(LeapDay::kNext, text)});
}

RegexId DateTimeFormat(TextRegex& text) {
  RegexSet& set = text.set();
  const auto join = [&](RegexId date, RegexId time) {
    return set.Concat(std::array{date, FullMatch("[tT]", text), time});
  };
  // Leap seconds are inserted at the end of June or December.
  return set.Or(
      std::array{join(DateFormat(text), NormalTime(text)),
                 join(Dates("[0-9]{4}-(?:06-30|12-31)", text), LeapSecond(LeapDay::kSame, text)),
                 join(Dates("[0-9]{4}-(?:07-01|01-01)", text), LeapSecond(LeapDay::kNext, text))});
}

RegexId DurationFormat(TextRegex& text) {
  constexpr std::string_view kTime =
      "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
  constexpr std::string_view kDays =
      "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
  std::string pattern = "P(?:";
  pattern.append(kDays).append("(?:").append(kTime).append(")?|");
  pattern.append(kTime).append("|[0-9]+W)");
  return FullMatch(pattern, text);
}

}  // namespace espalier
