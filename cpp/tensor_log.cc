#include "tensor_log.h"

#include <limits.h>

#include "generations.h"
#include "graph_view.h"
#include "log.h"
#include "names.h"

namespace tflite_arena {
namespace {

struct Visit {
  const char* log;
  int planner_id;
  int subgraph;
  tflite::GraphInfo* graph_info;
  const Array<TfliteArenaTensorRecord>* told;
  Array<TfliteArenaTensorRecord> now;
};

bool SamePlace(const TfliteArenaTensorRecord& a, const TfliteArenaTensorRecord& b) {
  return a.arena == b.arena && a.root == b.root && a.offset == b.offset && a.size == b.size &&
         a.first_node == b.first_node && a.last_node == b.last_node;
}

void WriteTensor(const Visit& visit, const TfliteArenaTensorRecord& record) {
  const TfLiteTensor& tensor = TensorsOf(visit.graph_info)[record.tensor];
  LogLine line(visit.log, "tensor", visit.planner_id, visit.subgraph);
  line.Number("tensor", int64_t{record.tensor});
  if (tensor.name != nullptr) line.Text("name", tensor.name);
  line.Word("type", NameOfType(NumberOf(tensor.type)).text)
      .Number("bytes", uint64_t{record.bytes})
      .Number("first", int64_t{record.first_node});
  if (record.last_node == INT32_MAX) {
    line.Word("last", "end");
  } else {
    line.Number("last", int64_t{record.last_node});
  }
  line.Number("offset", uint64_t{record.offset})
      .Word("arena", NameOfArena(record.arena))
      .Number("root", int64_t{record.root});
  if (record.previous < 0) {
    line.Word("previous", "none");
  } else {
    line.Number("previous", int64_t{record.previous});
  }
}

void VisitTensor(void* user, const TfliteArenaTensorRecord* record) {
  Visit& visit = *static_cast<Visit*>(user);
  const size_t index = static_cast<size_t>(record->tensor);
  visit.now.Add(*record);
  if (record->arena == TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE) return;
  if (index < visit.told->size() && SamePlace((*visit.told)[index], *record)) return;
  WriteTensor(visit, *record);
}

}  // namespace

const char* NameOfArena(int32_t arena) {
  return arena == TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW ? "rw" : "persistent";
}

void TensorLog::Tell(const char* log, int planner_id, int subgraph, const TfliteArenaPlanner& planner,
                     tflite::GraphInfo* graph_info) {
  Visit visit = {log, planner_id, subgraph, graph_info, &told_, {}};
  const int32_t status = tflite_arena_planner_visit_tensors(&planner, VisitTensor, &visit);
  told_.Swap(&visit.now);
  if (status != TFLITE_ARENA_STATUS_OK && status != TFLITE_ARENA_STATUS_UNSUPPORTED) {
    Complain("the log lacks tensors of planner %d: %s", planner_id, tflite_arena_status_text(status));
  }
}

}  // namespace tflite_arena
