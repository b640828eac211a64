#include "frontend_lang/script/values/tim_sort.h"

#include <algorithm>
#include <numeric>

#include "frontend_lang/script/values/compare.h"

namespace espalier::lang {
namespace {

constexpr std::size_t kMinGallop = 7;  // wins in a row from which galloping pays
constexpr std::size_t kShortest = 64;

// Runs are at least that long: the first bits of the size, rounded up.
std::size_t MinRun(std::size_t size) {
  std::size_t rest = 0;
  for (; size >= kShortest; size >>= 1) rest |= size & 1;
  return size + rest;
}

// The depth of the boundary between two runs in a nearly balanced tree over `size` items: the
// first binary digit in which their middles differ, as shares of the size.
int PowerOf(std::size_t start, std::size_t left, std::size_t right, std::size_t size) {
  std::size_t a = 2 * start + left, b = a + left + right;
  for (int power = 1;; ++power) {
    if (a >= size) {
      a -= size;
      b -= size;
    } else if (b >= size) {
      return power;
    }
    a <<= 1;
    b <<= 1;
  }
}

}  // namespace

// The left side is the copied one. Its last item stands behind all others of both sides.
class TimSort::FromLow {
 public:
  static constexpr bool kFirstIsTaken = true;  // the item that stands before the other

  FromLow(std::size_t* to, Items left, std::size_t num_right)
      : to_(to), left_(left), right_(to + left.size(), num_right) {
    TakeRight(1);  // the lowest of all
  }

  std::size_t left() const { return left_.front(); }
  std::size_t right() const { return right_.front(); }
  Items lefts() const { return left_; }
  Items rights() const { return right_; }
  bool done() const { return left_.size() <= 1 || right_.empty(); }
  void TakeLeft(std::size_t count) { Take(left_, count); }
  void TakeRight(std::size_t count) { Take(right_, count); }
  void Finish() {
    TakeRight(right_.size());
    TakeLeft(left_.size());
  }

 private:
  void Take(Items& from, std::size_t count) {
    to_ = std::copy(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count), to_);
    from = from.subspan(count);
  }

  std::size_t* to_;
  Items left_, right_;
};

// The right side is the copied one. Its first item stands before all others of both sides.
class TimSort::FromHigh {
 public:
  static constexpr bool kFirstIsTaken = false;

  FromHigh(std::size_t* begin, std::size_t num_left, Items right)
      : end_(begin + num_left + right.size()), left_(begin, num_left), right_(right) {
    TakeLeft(1);  // the highest of all
  }

  std::size_t left() const { return left_.back(); }
  std::size_t right() const { return right_.back(); }
  Items lefts() const { return left_; }
  Items rights() const { return right_; }
  bool done() const { return right_.size() <= 1 || left_.empty(); }
  void TakeLeft(std::size_t count) { Take(left_, count); }
  void TakeRight(std::size_t count) { Take(right_, count); }
  void Finish() {
    TakeLeft(left_.size());
    TakeRight(right_.size());
  }

 private:
  void Take(Items& from, std::size_t count) {
    end_ = std::copy_backward(from.end() - static_cast<std::ptrdiff_t>(count), from.end(), end_);
    from = from.first(from.size() - count);
  }

  std::size_t* end_;
  Items left_, right_;
};

TimSort::TimSort(Host& host, const std::vector<Value>& keys)
    : host_(host), keys_(keys), order_(keys.size()), min_gallop_(kMinGallop) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

Outcome<bool> TimSort::Less(std::size_t a, std::size_t b) {
  ESP_TRY(host_.Step());
  return Compare(host_, CompareOp::kLt, keys_[a], keys_[b]);
}

Fault TimSort::Run() {
  const std::size_t size = order_.size();
  if (size < 2) return Fault();
  const std::size_t min_run = MinRun(size);
  for (std::size_t start = 0; start < size;) {
    ESP_TRY_ASSIGN(std::size_t length, CountRun(start));
    if (length < min_run) {
      const std::size_t forced = std::min(min_run, size - start);
      ESP_TRY(InsertBinary(start, start + length, start + forced));
      length = forced;
    }
    const Stretch run{start, length};
    ESP_TRY(Collapse(run));
    pending_.push_back(run);
    start += length;
  }
  while (pending_.size() > 1) {
    std::size_t place = pending_.size() - 2;
    if (place > 0 && pending_[place - 1].length < pending_[place + 1].length) --place;
    ESP_TRY(MergeAt(place));
  }
  return Fault();
}

// The length of the run at `start`, which is turned if it falls strictly.
Outcome<std::size_t> TimSort::CountRun(std::size_t start) {
  std::size_t end = start + 1;
  if (end == order_.size()) return std::size_t{1};
  ESP_TRY_ASSIGN(const bool falls, Less(order_[end], order_[start]));
  for (++end; end < order_.size(); ++end) {
    ESP_TRY_ASSIGN(const bool less, Less(order_[end], order_[end - 1]));
    if (less != falls) break;
  }
  const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  if (falls) std::reverse(at(start), at(end));
  return end - start;
}

Fault TimSort::InsertBinary(std::size_t start, std::size_t sorted_end, std::size_t end) {
  for (std::size_t next = sorted_end; next < end; ++next) {
    const std::size_t item = order_[next];
    std::size_t low = start, high = next;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      ESP_TRY_ASSIGN(const bool before, Less(item, order_[middle]));
      (before ? high : low) = before ? middle : middle + 1;
    }
    std::move_backward(&order_[low], &order_[next], &order_[next] + 1);
    order_[low] = item;
  }
  return Fault();
}

// Merges what is deeper in the tree than the boundary to `run`.
Fault TimSort::Collapse(const Stretch& run) {
  if (pending_.empty()) return Fault();
  const Stretch last = pending_.back();
  const int power = PowerOf(last.start, last.length, run.length, order_.size());
  while (pending_.size() > 1 && pending_[pending_.size() - 2].power > power) {
    ESP_TRY(MergeAt(pending_.size() - 2));
  }
  pending_.back().power = power;
  return Fault();
}

// Merges two neighbours, but for what stands in its place already at their outer ends.
Fault TimSort::MergeAt(std::size_t place) {
  Stretch left = pending_[place], right = pending_[place + 1];
  pending_[place].length += right.length;
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  const Items items(order_);
  ESP_TRY_ASSIGN(const std::size_t before,
                 GallopRight(order_[right.start], items.subspan(left.start, left.length), 0));
  left.start += before;
  left.length -= before;
  if (left.length == 0) return Fault();
  ESP_TRY_ASSIGN(right.length,
                 GallopLeft(order_[left.end() - 1], items.subspan(right.start, right.length),
                            right.length - 1));
  if (right.length == 0) return Fault();
  std::size_t* const begin = order_.data() + left.start;
  const bool low = left.length <= right.length;
  const Stretch& copied = low ? left : right;
  spare_.assign(order_.data() + copied.start, order_.data() + copied.end());
  return low ? Merge(FromLow(begin, spare_, right.length))
             : Merge(FromHigh(begin, left.length, spare_));
}

// One item at a time, until one side has won so often that galloping may pay.
template <typename Merging>
Fault TimSort::MergePairs(Merging& merging) {
  std::size_t num_left = 0, num_right = 0;  // that the side has won in a row
  while (!merging.done() && std::max(num_left, num_right) < min_gallop_) {
    ESP_TRY_ASSIGN(const bool right_first, Less(merging.right(), merging.left()));
    if (right_first == Merging::kFirstIsTaken) {
      merging.TakeRight(1);
      ++num_right;
      num_left = 0;
    } else {
      merging.TakeLeft(1);
      ++num_left;
      num_right = 0;
    }
  }
  return Fault();
}

template <typename Merging>
Fault TimSort::Merge(Merging merging) {
  for (;;) {
    ESP_TRY(MergePairs(merging));
    if (merging.done()) break;
    ++min_gallop_;
    ESP_TRY(Gallop(merging));
    if (merging.done()) break;
    ++min_gallop_;
  }
  merging.Finish();
  return Fault();
}

// Whole stretches at once, until neither side gives long ones.
Fault TimSort::Gallop(FromLow& merging) {
  std::size_t num_left = 0, num_right = 0;
  do {
    if (min_gallop_ > 1) --min_gallop_;
    ESP_TRY_ASSIGN(num_left, GallopRight(merging.right(), merging.lefts(), 0));
    merging.TakeLeft(num_left);
    if (merging.done()) return Fault();
    merging.TakeRight(1);
    if (merging.done()) return Fault();
    ESP_TRY_ASSIGN(num_right, GallopLeft(merging.left(), merging.rights(), 0));
    merging.TakeRight(num_right);
    if (merging.done()) return Fault();
    merging.TakeLeft(1);
    if (merging.done()) return Fault();
  } while (std::max(num_left, num_right) >= kMinGallop);
  return Fault();
}

Fault TimSort::Gallop(FromHigh& merging) {
  std::size_t num_left = 0, num_right = 0;
  do {
    if (min_gallop_ > 1) --min_gallop_;
    const Items lefts = merging.lefts();
    ESP_TRY_ASSIGN(const std::size_t kept, GallopRight(merging.right(), lefts, lefts.size() - 1));
    num_left = lefts.size() - kept;
    merging.TakeLeft(num_left);
    if (merging.done()) return Fault();
    merging.TakeRight(1);
    if (merging.done()) return Fault();
    const Items rights = merging.rights();
    ESP_TRY_ASSIGN(const std::size_t below, GallopLeft(merging.left(), rights, rights.size() - 1));
    num_right = rights.size() - below;
    merging.TakeRight(num_right);
    if (merging.done()) return Fault();
    merging.TakeLeft(1);
    if (merging.done()) return Fault();
  } while (std::max(num_left, num_right) >= kMinGallop);
  return Fault();
}

Outcome<std::size_t> TimSort::GallopLeft(std::size_t key, Items items, std::size_t hint) {
  std::size_t low = 0, high = 0, last = 0, step = 1;
  ESP_TRY_ASSIGN(const bool to_the_right, Less(items[hint], key));
  const std::size_t most = to_the_right ? items.size() - hint : hint + 1;
  while (step < most) {
    ESP_TRY_ASSIGN(const bool below, Less(items[to_the_right ? hint + step : hint - step], key));
    if (below != to_the_right) break;
    last = step;
    step = 2 * step + 1;
  }
  step = std::min(step, most);
  low = to_the_right ? hint + last + 1 : hint + 1 - step;
  high = to_the_right ? hint + step : hint - last;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    ESP_TRY_ASSIGN(const bool below, Less(items[middle], key));
    (below ? low : high) = below ? middle + 1 : middle;
  }
  return high;
}

Outcome<std::size_t> TimSort::GallopRight(std::size_t key, Items items, std::size_t hint) {
  std::size_t low = 0, high = 0, last = 0, step = 1;
  ESP_TRY_ASSIGN(const bool to_the_left, Less(key, items[hint]));
  const std::size_t most = to_the_left ? hint + 1 : items.size() - hint;
  while (step < most) {
    ESP_TRY_ASSIGN(const bool above, Less(key, items[to_the_left ? hint - step : hint + step]));
    if (above != to_the_left) break;
    last = step;
    step = 2 * step + 1;
  }
  step = std::min(step, most);
  low = to_the_left ? hint + 1 - step : hint + last + 1;
  high = to_the_left ? hint - last : hint + step;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    ESP_TRY_ASSIGN(const bool above, Less(key, items[middle]));
    (above ? high : low) = above ? middle : middle + 1;
  }
  return high;
}

}  // namespace espalier::lang
