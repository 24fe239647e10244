#include "recorder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "generations.h"
#include "graph_view.h"
#include "json_file.h"
#include "log.h"

namespace tflite_arena {
namespace {

// The first of a list needs no comma before it.
const char* Separator(size_t index) { return index == 0 ? "\n" : ",\n"; }

void WriteList(JsonFile* file, const char* key, const TfliteArenaIntList& list) {
  file->Raw("\"");
  file->Raw(key);
  file->Raw("\":[");
  for (size_t i = 0; i < list.size; ++i) {
    if (i > 0) file->Raw(",");
    file->Number(static_cast<int64_t>(list.data[i]));
  }
  file->Raw("]");
}

// The type is read as the number it is in memory: a future one need not be among the enum's.
int32_t AllocationTypeOf(const TfLiteTensor& tensor) {
  int32_t type;
  static_assert(sizeof(type) == sizeof(tensor.allocation_type), "an enum of C is an int here");
  memcpy(&type, &tensor.allocation_type, sizeof(type));
  return type;
}

void WriteTensors(JsonFile* file, tflite::GraphInfo* graph_info) {
  const TfLiteTensor* tensors = TensorsOf(graph_info);
  const size_t count = graph_info->num_tensors();
  for (size_t i = 0; i < count; ++i) {
    file->Raw(Separator(i));
    file->Raw("{\"bytes\":");
    file->Number(static_cast<uint64_t>(tensors[i].bytes));
    file->Raw(",\"type\":");
    file->Number(static_cast<int64_t>(AllocationTypeOf(tensors[i])));
    file->Raw(",\"name\":");
    file->String(tensors[i].name);
    file->Raw("}");
  }
}

// Lists of a negative size are written as if they were empty: no plan was made from them.
void WriteNodes(JsonFile* file, const tflite::GraphInfo& graph_info) {
  const size_t count = NumNodesOf(graph_info);
  for (size_t i = 0; i < count; ++i) {
    TfliteArenaNode node = {};
    NodeOf(graph_info, i, &node);
    file->Raw(Separator(i));
    file->Raw("{\"inplace\":");
    file->Number(static_cast<uint64_t>(node.inplace_operator));
    file->Raw(",");
    WriteList(file, "inputs", node.inputs);
    file->Raw(",");
    WriteList(file, "outputs", node.outputs);
    file->Raw(",");
    WriteList(file, "temporaries", node.temporaries);
    file->Raw("}");
  }
}

}  // namespace

void WriteRecording(const char* directory, int planner, int subgraph, tflite::GraphInfo* graph_info, size_t arena,
                    size_t persistent) {
  char name[64];
  snprintf(name, sizeof(name), "tflite-arena-%d-%d.json", static_cast<int>(getpid()), planner);
  JsonFile file(directory, name);
  file.Raw("{\"tflite_arena_recording\":0,\"subgraph\":");
  file.Number(static_cast<int64_t>(subgraph));
  file.Raw(",\"tensors\":[");
  WriteTensors(&file, graph_info);
  file.Raw("],\n\"nodes\":[");
  WriteNodes(&file, *graph_info);
  file.Raw("],\n");
  WriteList(&file, "inputs", ListOf(graph_info->inputs()));
  file.Raw(",");
  WriteList(&file, "outputs", ListOf(graph_info->outputs()));
  file.Raw(",");
  WriteList(&file, "variables", ListOf(graph_info->variables()));
  file.Raw(",\"arena\":");
  file.Number(static_cast<uint64_t>(arena));
  file.Raw(",\"persistent\":");
  file.Number(static_cast<uint64_t>(persistent));
  file.Raw("}\n");
  const int failure = file.Commit();
  if (failure != 0) Complain("%s/%s was not written: %s", directory, name, strerror(failure));
}

}  // namespace tflite_arena
