// A planner at work on its own copy of a sequence's graph: upstream's out of a library, or ours.
#pragma once

#include <memory>
#include <string>

#include "sequence.h"

namespace differential {

// Where a tensor's pointer points.
struct Place {
  enum Where { kNowhere, kArena, kPersistentArena, kElsewhere };
  Where where = kNowhere;
  size_t offset = 0;  // in the arena

  bool InArena() const { return where == kArena || where == kPersistentArena; }
  bool operator==(const Place& other) const {
    return where == other.where && (!InArena() || offset == other.offset);
  }
  bool operator!=(const Place& other) const { return !(*this == other); }
};

std::string ToText(const Place& place);

struct Sizes {
  size_t arena = 0;
  size_t persistent = 0;
};

class Side {
 public:
  virtual ~Side() = default;
  // Makes the call or the change; false: the planner returned an error.
  virtual bool Do(const Step& step) = 0;
  // False where this generation does not tell.
  virtual bool GetSizes(Sizes* sizes) const = 0;
  virtual bool HasMemory() const = 0;
  virtual Place PlaceOf(int tensor) const = 0;
  // Whether memory that is the application's is still where it was.
  virtual bool LeavesCustomAlone() const = 0;
  // What the planner said of its last error.
  virtual const std::string& error() const = 0;
};

// The planner class of a generation, to be called through its vtable.
class PlannerClass {
 public:
  virtual ~PlannerClass() = default;
  virtual std::unique_ptr<Side> Start(const Sequence& sequence) const = 0;
  // The file that its code was loaded from, as the dynamic linker tells it.
  virtual std::string CodeFile() const = 0;
};

// The generation that this program was compiled for: UPSTREAM's numbers, 1 to 10.
extern const int kGeneration;

std::unique_ptr<PlannerClass> OurClass();
// Out of a shared library that has been loaded; null and a line on stderr where it does not export the class.
std::unique_ptr<PlannerClass> ClassOf(void* library);

}  // namespace differential
