#include "kernels/base/status.h"

namespace espalier {

std::string_view CodeName(Code code) {
  switch (code) {
    case Code::kOk: return "ok";
    case Code::kInvalidArgument: return "invalid_argument";
    case Code::kNotFound: return "not_found";
    case Code::kUnsupported: return "unsupported";
    case Code::kLimit: return "limit";
    case Code::kOverloaded: return "overloaded";
    case Code::kCancelled: return "cancelled";
    case Code::kDataLoss: return "data_loss";
    case Code::kInternal: return "internal";
  }
  return "internal";
}

}  // namespace espalier
