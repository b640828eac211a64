#include "grammar/regex/regex_set.h"
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include "grammar/mix.h"
namespace espalier {
enum class Op : std::uint8_t { kNothing, kEmpty, kAny, kBytes, kConcat, kOr, kAnd, kNot, kRepeat };
struct Term {
  Op op;
  bool null;
  bool boolean;
  ByteSet set;
  std::vector<RegexId> kids;
  std::uint32_t min = 0, max = 0;
  RegexSet::Hash hash;
};
struct RegexSet::Tables {
  Fuel& fuel;
  std::deque<Term> terms;
  std::map<std::tuple<int, ByteSet, std::vector<RegexId>, std::uint32_t, std::uint32_t>, RegexId>
      ids;
  std::vector<std::unique_ptr<std::array<RegexId, 256>>> rows;
  std::vector<int> alive;  // 0 unknown 1 alive 2 dead
  std::deque<std::vector<ByteSet>> classes;
  explicit Tables(Fuel& f) : fuel(f) {}
  static RegexId Raw(RegexSet& s, Tables* t, RegexId r, std::uint8_t b);
  RegexId Make(Op op, ByteSet s, std::vector<RegexId> kids, std::uint32_t min = 0,
               std::uint32_t max = 0) {
    auto key = std::make_tuple(int(op), s, kids, min, max);
    if (auto it = ids.find(key); it != ids.end()) return it->second;
    fuel.Spend(1);
    Term t{};
    t.op = op;
    t.set = s;
    t.min = min;
    t.max = max;
    t.boolean = op == Op::kAnd || op == Op::kNot;
    for (auto k : kids) t.boolean |= terms[k].boolean;
    switch (op) {
      case Op::kNothing:
      case Op::kBytes: t.null = false; break;
      case Op::kEmpty:
      case Op::kAny: t.null = true; break;
      case Op::kConcat:
      case Op::kAnd:
        t.null = std::ranges::all_of(kids, [&](auto k) { return terms[k].null; });
        break;
      case Op::kOr:
        t.null = std::ranges::any_of(kids, [&](auto k) { return terms[k].null; });
        break;
      case Op::kNot: t.null = !terms[kids[0]].null; break;
      case Op::kRepeat: t.null = min == 0 || terms[kids[0]].null; break;
    }
    std::uint64_t lo = Mix(std::uint64_t(op), (std::uint64_t(min) << 32) | max), hi = 7;
    for (auto w : s.words()) {
      lo = Mix(lo, w);
      hi = Mix(hi, w + 1);
    }
    if (op == Op::kOr || op == Op::kAnd) {
      std::uint64_t a = 0, b = 0;
      for (auto k : kids) {
        a += Mix(3, terms[k].hash.low);
        b += Mix(5, terms[k].hash.high);
      }
      lo = Mix(lo, a);
      hi = Mix(hi, b + std::uint64_t(op));
    } else
      for (auto k : kids) {
        lo = Mix(lo, terms[k].hash.low);
        hi = Mix(hi, terms[k].hash.high + std::uint64_t(op));
      }
    t.hash = {lo, Mix(hi, lo)};
    t.kids = std::move(kids);
    terms.push_back(std::move(t));
    rows.emplace_back();
    alive.push_back(0);
    classes.emplace_back();
    RegexId id = RegexId(terms.size() - 1);
    ids.emplace(std::move(key), id);
    return id;
  }
};
RegexSet::RegexSet(Fuel& fuel) : tables_(new Tables(fuel)) {
  tables_->Make(Op::kNothing, {}, {});
  tables_->Make(Op::kEmpty, {}, {});
  tables_->Make(Op::kAny, {}, {});
}
RegexSet::~RegexSet() { delete tables_; }
RegexId RegexSet::Bytes(const ByteSet& s) {
  return s.empty() ? kNothing : tables_->Make(Op::kBytes, s, {});
}
RegexId RegexSet::Literal(std::string_view t) {
  RegexId r = kEmpty;
  for (std::size_t i = t.size(); i-- > 0;) r = Concat(Bytes(ByteSet::Of(std::uint8_t(t[i]))), r);
  return r;
}
RegexId RegexSet::Literals(std::vector<std::string> t) {
  std::vector<RegexId> v;
  for (auto& x : t) v.push_back(Literal(x));
  return Or(v);
}
RegexId RegexSet::Concat(RegexId a, RegexId b) {
  if (a == kNothing || b == kNothing) return kNothing;
  if (a == kEmpty) return b;
  if (b == kEmpty) return a;
  if (tables_->terms[a].op == Op::kConcat) {
    auto k = tables_->terms[a].kids;
    return Concat(k[0], Concat(k[1], b));
  }
  return tables_->Make(Op::kConcat, {}, {a, b});
}
RegexId RegexSet::Concat(std::span<const RegexId> p) {
  RegexId r = kEmpty;
  for (std::size_t i = p.size(); i-- > 0;) r = Concat(p[i], r);
  return r;
}
RegexId RegexSet::Or(RegexId a, RegexId b) {
  RegexId v[] = {a, b};
  return Or(v);
}
RegexId RegexSet::Or(std::span<const RegexId> p) {
  std::vector<RegexId> v;
  ByteSet s;
  for (auto x : p) {
    auto& t = tables_->terms[x];
    if (t.op == Op::kOr) {
      for (auto k : t.kids) {
        if (tables_->terms[k].op == Op::kBytes)
          s |= tables_->terms[k].set;
        else
          v.push_back(k);
      }
    } else if (t.op == Op::kBytes)
      s |= t.set;
    else if (x != kNothing)
      v.push_back(x);
  }
  if (!s.empty()) v.push_back(Bytes(s));
  std::ranges::sort(v);
  v.erase(std::ranges::unique(v).begin(), v.end());
  for (auto x : v)
    if (x == kAnything) return x;
  if (v.empty()) return kNothing;
  if (v.size() == 1) return v[0];
  return tables_->Make(Op::kOr, {}, v);
}
RegexId RegexSet::And(RegexId a, RegexId b) {
  RegexId v[] = {a, b};
  return And(v);
}
RegexId RegexSet::And(std::span<const RegexId> p) {
  std::vector<RegexId> v;
  for (auto x : p) {
    auto& t = tables_->terms[x];
    if (x == kNothing) return x;
    if (t.op == Op::kAnd)
      v.insert(v.end(), t.kids.begin(), t.kids.end());
    else if (x != kAnything)
      v.push_back(x);
  }
  std::ranges::sort(v);
  v.erase(std::ranges::unique(v).begin(), v.end());
  if (v.empty()) return kAnything;
  if (v.size() == 1) return v[0];
  if (std::ranges::find(v, kEmpty) != v.end()) {
    for (auto x : v)
      if (!nullable(x)) return kNothing;
    return kEmpty;
  }
  return tables_->Make(Op::kAnd, {}, v);
}
RegexId RegexSet::Not(RegexId r) {
  if (r == kNothing) return kAnything;
  if (r == kAnything) return kNothing;
  if (tables_->terms[r].op == Op::kNot) return tables_->terms[r].kids[0];
  return tables_->Make(Op::kNot, {}, {r});
}
RegexId RegexSet::Repeat(RegexId r, std::uint32_t min, std::uint32_t max) {
  if (max == 0 || r == kEmpty) return kEmpty;
  if (r == kNothing) return min == 0 ? kEmpty : kNothing;
  if (min == 1 && max == 1) return r;
  if (r == kAnything) return r;
  if (nullable(r)) min = 0;
  if (max == kUnbounded && tables_->terms[r].op == Op::kBytes &&
      tables_->terms[r].set == ByteSet::All() && min == 0)
    return kAnything;
  return tables_->Make(Op::kRepeat, {}, {r}, min, max);
}
bool RegexSet::nullable(RegexId r) const { return tables_->terms[r].null; }
std::span<const ByteSet> RegexSet::ByteClasses(RegexId r) {
  auto& c = tables_->classes[r];
  if (!c.empty()) return c;
  auto& t = tables_->terms[r];
  std::vector<ByteSet> out;
  auto cross = [](const std::vector<ByteSet>& a, std::span<const ByteSet> b) {
    std::vector<ByteSet> o;
    for (auto& x : a)
      for (auto& y : b) {
        auto z = x & y;
        if (!z.empty()) o.push_back(z);
      }
    return o;
  };
  if (t.op == Op::kBytes) {
    out = {t.set};
    if (!(~t.set).empty()) out.push_back(~t.set);
  } else {
    out = {ByteSet::All()};
    for (std::size_t i = 0; i < t.kids.size(); ++i) {
      if (t.op == Op::kConcat && i == 1 && !nullable(t.kids[0])) break;
      out = cross(out, ByteClasses(t.kids[i]));
    }
  }
  tables_->classes[r] = out;
  return tables_->classes[r];
}
RegexId RegexSet::Derive(RegexId r, std::uint8_t b) {
  auto& row = tables_->rows[r];
  if (!row) {
    auto cl = ByteClasses(r);
    std::vector<ByteSet> copy(cl.begin(), cl.end());
    auto fresh = std::make_unique<std::array<RegexId, 256>>();
    for (auto& c : copy) {
      if (!tables_->fuel.Spend(1)) return kNothing;
      RegexId d = Tables::Raw(*this, tables_, r, c.first());
      if (IsNothing(d)) d = kNothing;
      for (int i = 0; i < 256; ++i)
        if (c.contains(std::uint8_t(i))) (*fresh)[i] = d;
    }
    tables_->rows[r] = std::move(fresh);
  }
  return (*tables_->rows[r])[b];
}
RegexId RegexSet::Tables::Raw(RegexSet& s, Tables* t, RegexId r, std::uint8_t b) {
  Term x = t->terms[r];
  std::vector<RegexId> v;
  switch (x.op) {
    case Op::kNothing:
    case Op::kEmpty: return 0;
    case Op::kAny: return r;
    case Op::kBytes: return x.set.contains(b) ? 1 : 0;
    case Op::kConcat: {
      RegexId a = s.Concat(Raw(s, t, x.kids[0], b), x.kids[1]);
      return s.nullable(x.kids[0]) ? s.Or(a, Raw(s, t, x.kids[1], b)) : a;
    }
    case Op::kOr:
      for (auto k : x.kids) v.push_back(Raw(s, t, k, b));
      return s.Or(v);
    case Op::kAnd:
      for (auto k : x.kids) v.push_back(Raw(s, t, k, b));
      return s.And(v);
    case Op::kNot: return s.Not(Raw(s, t, x.kids[0], b));
    case Op::kRepeat:
      return s.Concat(Raw(s, t, x.kids[0], b),
                      s.Repeat(x.kids[0], x.min ? x.min - 1 : 0,
                               x.max == RegexSet::kUnbounded ? x.max : x.max - 1));
  }
  return 0;
}
bool RegexSet::IsNothing(RegexId r) {
  if (r == 0) return true;
  auto& a = tables_->alive;
  if (a[r]) return a[r] == 2;
  if (!tables_->terms[r].boolean || nullable(r)) {
    a[r] = 1;
    return false;
  }
  std::vector<RegexId> st = {r};
  std::map<RegexId, RegexId> par = {{r, r}};
  while (!st.empty()) {
    RegexId q = st.back();
    st.pop_back();
    if (!tables_->fuel.Spend(1)) return true;
    if (tables_->alive[q] == 2) continue;
    if (nullable(q) || tables_->alive[q] == 1 || !tables_->terms[q].boolean) {
      for (;;) {
        tables_->alive[q] = 1;
        if (q == r) return false;
        q = par[q];
      }
    }
    auto cl = ByteClasses(q);
    std::vector<ByteSet> copy(cl.begin(), cl.end());
    for (auto& c : copy) {
      RegexId d = Tables::Raw(*this, tables_, q, c.first());
      if (d && par.emplace(d, q).second) st.push_back(d);
    }
  }
  for (auto& p : par) tables_->alive[p.first] = 2;
  return true;
}
ByteSet RegexSet::FirstBytes(RegexId r) {
  ByteSet s;
  for (int i = 0; i < 256; ++i)
    if (Derive(r, std::uint8_t(i)) != kNothing) s |= ByteSet::Of(std::uint8_t(i));
  return s;
}
bool RegexSet::Matches(RegexId r, std::string_view t) {
  for (char c : t) {
    r = Derive(r, std::uint8_t(c));
    if (r == 0) return false;
  }
  return nullable(r);
}
std::uint64_t RegexSet::MinBytes(RegexId r) {
  if (IsNothing(r)) return ~0ull;
  std::vector<RegexId> l = {r};
  std::map<RegexId, int> seen = {{r, 0}};
  for (std::uint64_t n = 0;; ++n) {
    std::vector<RegexId> next;
    for (auto q : l) {
      if (nullable(q)) return n;
      for (auto& c : std::vector<ByteSet>(ByteClasses(q).begin(), ByteClasses(q).end())) {
        RegexId d = Derive(q, c.first());
        if (d && seen.emplace(d, 0).second) next.push_back(d);
      }
    }
    if (next.empty()) return ~0ull;
    l = next;
  }
}
bool RegexSet::IsInfiniteEverywhere(RegexId) { return false; }
RegexId RegexSet::Clamp(RegexId r, std::uint32_t) { return r; }
RegexSet::Hash RegexSet::hash(RegexId r) const { return tables_->terms[r].hash; }
std::size_t RegexSet::num_terms() const { return tables_->terms.size(); }
std::size_t RegexSet::size_bytes() const { return tables_->terms.size() * 400; }
}  // namespace espalier
