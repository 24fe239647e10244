// Records a planner: its graph, the calls that were made of it, and where each tensor lies. docs/record.md tells the format.
#ifndef TFLITE_ARENA_CPP_RECORDER_H_
#define TFLITE_ARENA_CPP_RECORDER_H_

#include "array.h"
#include "call.h"
#include "json_text.h"
#include "runtime.h"
#include "tflite_arena.h"

namespace tflite_arena {

// Keeps the whole file as text, so that it can be written when the graph is gone. Where memory runs out or the file cannot be
// written it says so on stderr, once, and records no more.
class Recorder {
 public:
  // Null when there is no memory for it. Neither `directory` nor anything of `options` but `allocator` need be there for long.
  static Recorder* Create(const char* directory, int planner, int subgraph, const TfliteArenaPlannerOptions& options);
  // Writes what is not yet written. Null is fine.
  static void Destroy(Recorder* recorder);

  // To be told of a buffer that grows, before the call in which it does.
  void AddGrowth(const TfliteArenaEvent& growth);
  // To be told after each call, the constructor's the first. False: nothing more is recorded, and the recorder is of no more use.
  bool Add(const Call& call, const TfliteArenaPlanner& planner, tflite::GraphInfo* graph_info);

 private:
  // What a planner reads of a tensor.
  struct Size {
    uint64_t bytes;
    int32_t allocation_type;
  };
  // A list for each node, one after the other: where each ends, and what is in them.
  struct Lists {
    Array<size_t> ends;
    Array<int32_t> values;
  };

  Recorder(const char* directory, int planner, int subgraph, const TfliteArenaPlannerOptions& options);
  ~Recorder() = default;

  // The one who begins an event ends it.
  void BeginEvent(JsonText* events, const char* name) const;
  void BeginCall(JsonText* events, const Call& call) const;
  void AddSizes(tflite::GraphInfo* graph_info);
  void AddChanges(tflite::GraphInfo* graph_info);
  void AddChangedTemporaries(const tflite::GraphInfo& graph_info);
  void ReadTensors(const TfliteArenaPlanner& planner, tflite::GraphInfo* graph_info);
  void ReadNodes(const tflite::GraphInfo& graph_info);
  void ReadTotals(const TfliteArenaPlanner& planner);
  void SetTotals(const TfliteArenaPlanInfo& info);
  bool HasAll() const;
  bool IsDue() const;
  bool Write();
  // Says so; false.
  bool Stop(const char* reason);

  const char* const directory_;
  const int planner_;
  const int subgraph_;
  bool stopped_ = false;

  // Parts of the file. Events are there twice: as they are once they are history, without what the next plan forgets, and, from the
  // last plan on, as they are until then.
  JsonText options_;
  JsonText tensors_;
  JsonText nodes_;
  JsonText totals_;
  JsonText history_;
  size_t history_before_plan_ = 0;
  JsonText since_plan_;

  bool planned_ = false;  // the last plan went well: what the planner then reads is told
  size_t arena_ = 0;      // the sizes of the buffers
  size_t persistent_ = 0;
  Array<Size> sizes_;      // as they were last told
  Lists temporaries_;

  uint64_t calls_ = 0;
  uint64_t written_calls_ = 0;
};

}  // namespace tflite_arena

#endif  // TFLITE_ARENA_CPP_RECORDER_H_
