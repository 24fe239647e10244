// Recordings and the log as a planner's calls follow each other: what each then has in it, and when it is written. docs/record.md
// and docs/integrate.md tell what is to be. They are left in the empty folder that is named. A whole recording, and what the
// environment makes of both, is looked at by environment_test.sh.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "test_graph.h"
#include "tflite_arena.h"

namespace {

using test::Chain;
using test::Context;
using test::Graph;
using Planner = std::unique_ptr<tflite::ArenaPlanner>;

std::string folder;
int planners = 0;

Planner NewPlanner(Context* context, std::unique_ptr<Graph> graph) {
  ++planners;
  return Planner(new tflite::ArenaPlanner(context->get(), std::move(graph), false, 64, 0));
}

// Of the planner that was made last.
std::string RecordingPath() {
  return folder + "/tflite-arena-" + std::to_string(getpid()) + "-" + std::to_string(planners) + ".json";
}

std::string Read(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The recording's events a line each, without how long they took and what all of them have.
std::string Events() {
  std::string events;
  std::istringstream file(Read(RecordingPath()));
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 10, "{\"event\":\"") != 0) continue;
    const size_t name = 10, name_end = line.find('"', name), persistent = line.find(",\"persistent\":");
    std::string more = line.substr(line.find_first_of(",}", persistent + 1));
    const size_t ns = more.find(",\"ns\":");
    if (ns != std::string::npos) more.erase(ns, more.find_first_of(",}", ns + 1) - ns);
    more.erase(more.find_last_of('}'));
    events += line.substr(name, name_end - name) + more + "\n";
  }
  return events;
}

void Same(const std::string& expected, const std::string& got) {
  if (expected != got) fprintf(stderr, "expected:\n%sgot:\n%s", expected.c_str(), got.c_str());
  CHECK(expected == got);
}

// The log's lines of this event and of the planner that was made last, from the event's name on.
std::string Logged(const std::string& event) {
  const std::string planner = " planner=" + std::to_string(planners) + " ", name = " event=" + event + " ";
  std::string lines;
  std::istringstream file(Read(folder + "/log"));
  for (std::string line; std::getline(file, line);) {
    const size_t at = line.find(name);
    if (at != std::string::npos && line.find(planner) < at) lines += line.substr(at + name.size()) + "\n";
  }
  return lines;
}

// The number behind the key in the line that has the text.
long long NumberIn(const std::string& text, const std::string& key) {
  std::istringstream file(Read(RecordingPath()));
  for (std::string line; std::getline(file, line);) {
    if (line.find(text) == std::string::npos) continue;
    const size_t at = line.find("\"" + key + "\":");
    CHECK(at != std::string::npos);
    return std::stoll(line.substr(at + key.size() + 3));
  }
  CHECK(!"no such line");
  return 0;
}

// What the planner reads is told whole at the plan, and after it as far as it is another than before. The graph: x:64, A:256 behind
// it, then tmp:100 and, aligned, B:64; B:640 takes the place of both.
void TellsWhatHasChanged() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  const int weights = graph->AddTensor(1000, "W", kTfLiteMmapRo);
  Planner planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  const int temporary = graph->AddTensor(100, "tmp");
  graph->SetTemporaries(1, {temporary});
  CHECK(planner->ExecuteAllocations(0, 0) == kTfLiteOk);
  CHECK(planner->ExecuteAllocations(1, 7) == kTfLiteOk);
  graph->tensor(2)->bytes = 640;
  graph->tensor(static_cast<size_t>(weights))->allocation_type = kTfLiteCustom;
  graph->SetTemporaries(0, {temporary, -1});
  graph->SetTemporaries(1, {});
  CHECK(planner->ResetAllocationsAfter(0) == kTfLiteOk);
  CHECK(planner->ExecuteAllocations(1, 1) == kTfLiteOk);
  Same(
      "create\n"
      "plan,\"sizes\":[[64,2],[256,2],[64,2],[1000,1]]\n"
      "grow,\"of\":2,\"before\":0,\"after\":320\n"
      "execute,\"first\":0,\"last\":0,\"changed\":[[4,100,2]],\"temporaries\":[[1,[4]]]\n"
      "grow,\"of\":2,\"before\":320,\"after\":512\n"
      "execute,\"first\":1,\"last\":7,\"changed\":[],\"temporaries\":[]\n"
      "reset_after,\"node\":0\n"
      "grow,\"of\":2,\"before\":512,\"after\":960\n"
      "execute,\"first\":1,\"last\":1,\"changed\":[[2,640,2],[3,1000,6]],\"temporaries\":[[0,[4,-1]],[1,[]]]\n",
      Events());
}

void ANewPlanForgetsWhatWasReadBefore() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  Planner planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  graph->tensor(2)->bytes = 128;
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  const std::string before =
      "create\n"
      "plan\n"
      "grow,\"of\":2,\"before\":0,\"after\":384\n"
      "execute,\"first\":0,\"last\":1\n";
  const std::string second_execution =
      "grow,\"of\":2,\"before\":384,\"after\":448\n"
      "execute,\"first\":0,\"last\":1";
  Same(before + "plan,\"sizes\":[[64,2],[256,2],[128,2]]\n" + second_execution + ",\"changed\":[],\"temporaries\":[]\n",
       Events());

  // A plan that failed ends the one before it, and none has taken its place.
  graph->mutable_node(1).inputs->size = -1;
  CHECK(planner->PlanAllocations() == kTfLiteError && planner->ExecuteAllocations(0, 1) == kTfLiteError);
  const std::string status = std::to_string(TFLITE_ARENA_STATUS_INVALID_ARGUMENT);
  std::string events = Events();
  for (size_t text; (text = events.find(",\"text\":\"")) != std::string::npos;) {
    events.erase(text, events.find('"', text + 9) + 1 - text);
  }
  Same(before + "plan\n" + second_execution + "\nerror,\"call\":\"plan\",\"status\":" + status +
           "\nerror,\"call\":\"execute\",\"status\":" + status + ",\"first\":0,\"last\":1\n",
       events);
  CHECK(Read(RecordingPath()).find("\"place\"") == std::string::npos);
}

void ReleasingAndResettingAreEvents() {
  Context context;
  Planner planner = NewPlanner(&context, Chain());
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(planner->ReleaseNonPersistentMemory() == kTfLiteOk && planner->AcquireNonPersistentMemory() == kTfLiteOk);
  CHECK(planner->ResetAllocations() == kTfLiteOk);
  const std::string events = Events();
  Same(
      "release\n"
      "grow,\"of\":2,\"before\":0,\"after\":384\n"
      "acquire\n"
      "reset\n",
      events.substr(events.find("release")));
}

// It tells a failed execution's sizes, which are why it failed.
void AFailureIsToldWithItsReason() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  Planner planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  graph->tensor(1)->bytes = SIZE_MAX - 32;
  CHECK(planner->ExecuteAllocations(0, 1) == kTfLiteError);
  const std::string events = Events();
  Same("error,\"call\":\"execute\",\"status\":" + std::to_string(TFLITE_ARENA_STATUS_OVERFLOW) + ",\"text\":\"" +
           Context::LastError() + "\",\"first\":0,\"last\":1,\"changed\":[[1," + std::to_string(SIZE_MAX - 32) +
           ",2]],\"temporaries\":[]\n",
       events.substr(events.find("error")));
}

// What the runtime sees: addresses from where the arena begins, and the sizes that it is told.
void PlacesAndTotalsAreTheRuntimes() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  graph->SetTemporaries(1, {graph->AddTensor(500, "P", kTfLiteArenaRwPersistent)});
  graph->AddNode({2}, {graph->AddTensor(64, "shared")}, kTfLiteInplaceOpInput0Shared);
  graph->mutable_outputs() = {1};
  Planner planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 2) == kTfLiteOk);
  size_t arena = 0, persistent = 0;
  planner->GetAllocInfo(&arena, &persistent);
  CHECK(NumberIn("\"totals\":", "arena") == static_cast<long long>(arena));
  CHECK(NumberIn("\"totals\":", "persistent") == static_cast<long long>(persistent));
  CHECK(NumberIn("\"event\":\"execute\"", "arena") == static_cast<long long>(arena));
  CHECK(NumberIn("\"event\":\"execute\"", "persistent") == static_cast<long long>(persistent));
  // x, A and B of their own; the other is B's.
  CHECK(NumberIn("\"totals\":", "placed") == 3 && NumberIn("\"totals\":", "naive") == 64 + 256 + 64);
  CHECK(NumberIn("\"name\":\"shared\"", "root") == 2 && NumberIn("\"name\":\"B\"", "root") == 2);
  for (size_t i = 0; i < graph->num_tensors(); ++i) {
    const std::string name = std::string("\"name\":\"") + graph->tensor(i)->name + "\"";
    const intptr_t base = planner->BasePointer(graph->tensor(i)->allocation_type);
    CHECK(reinterpret_cast<intptr_t>(graph->tensor(i)->data) - base == NumberIn(name, "offset"));
    CHECK(NumberIn(name, "size") == static_cast<long long>(graph->tensor(i)->bytes));
  }
}

// x:64 for good, A:256 behind it, B:64 behind both, C:200, which takes A's place, and P, which is kept apart for good. The name of
// C is no text, and P has none.
void LogsPlacesThatAreNewOrOthers() {
  Context context;
  std::unique_ptr<Graph> owned = Chain();
  Graph* graph = owned.get();
  const int c = graph->AddTensor(200, "C\xc3\xa9\xf0.\"\n");
  graph->AddNode({2}, {c});
  graph->mutable_outputs() = {c};
  graph->tensor(1)->type = decltype(graph->tensor(1)->type)(9);
  graph->tensor(2)->type = decltype(graph->tensor(2)->type)(77);
  Planner planner = NewPlanner(&context, std::move(owned));
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  graph->SetTemporaries(2, {graph->AddTensor(500, nullptr, kTfLiteArenaRwPersistent)});
  CHECK(planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  std::string expected =
      "tensor=0 name=\"x\" type=NOTYPE bytes=64 first=0 last=end offset=0 arena=rw root=0 previous=none\n"
      "tensor=1 name=\"A\" type=INT8 bytes=256 first=0 last=1 offset=64 arena=rw root=1 previous=none\n"
      "tensor=2 name=\"B\" type=TYPE_77 bytes=64 first=1 last=2 offset=320 arena=rw root=2 previous=none\n";
  Same(expected, Logged("tensor"));
  CHECK(planner->ExecuteAllocations(2, 2) == kTfLiteOk);
  expected +=
      "tensor=3 name=\"C\xc3\xa9?.' \" type=NOTYPE bytes=200 first=2 last=end offset=64 arena=rw root=3 previous=1\n"
      "tensor=4 type=NOTYPE bytes=500 first=2 last=end offset=0 arena=persistent root=4 previous=none\n";
  Same(expected, Logged("tensor"));
  graph->tensor(static_cast<size_t>(c))->bytes = 300;
  CHECK(planner->ExecuteAllocations(2, 2) == kTfLiteOk);
  expected +=
      "tensor=3 name=\"C\xc3\xa9?.' \" type=NOTYPE bytes=300 first=2 last=end offset=384 arena=rw root=3 previous=none\n";
  Same(expected, Logged("tensor"));
  Same(
      "arena=rw before=0 after=384\n"
      "arena=persistent before=0 after=500\n"
      "arena=rw before=384 after=684\n",
      Logged("grow"));
  // The same places, but of another plan.
  graph->tensor(static_cast<size_t>(c))->bytes = 200;
  const size_t before = Logged("tensor").size();
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  Same(expected.substr(0, expected.find("tensor=3")), Logged("tensor").substr(before));
}

// Of 100 and 10 bytes that are alive together the first is rounded up to 128.
void TellsWhatAlignmentCosts() {
  Context context;
  std::unique_ptr<Graph> graph = Chain();
  graph->tensor(0)->bytes = 100;
  graph->tensor(1)->bytes = 10;
  graph->tensor(2)->bytes = 5;
  Planner planner = NewPlanner(&context, std::move(graph));
  CHECK(planner->PlanAllocations() == kTfLiteOk && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  CHECK(NumberIn("\"totals\":", "lower_bound") == 128 + 64 + 5 && NumberIn("\"totals\":", "padding") == 28 + 54);
  CHECK(Logged("execute").find(" lower_bound=197 persistent=0 padding=82 ") != std::string::npos);
}

// All at first, then at each sixteenth more; what is left when the planner goes.
void IsWrittenAtEachOfTheFirstCallsAndThenEverMoreRarely() {
  Context context;
  Planner planner = NewPlanner(&context, Chain());
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  const auto calls = [] {
    const std::string events = Events();
    int lines = 0;
    for (const char c : events) lines += c == '\n';
    return lines;
  };
  std::string written;
  for (int call = 3; call <= 107; ++call) {
    CHECK(planner->ResetAllocations() == kTfLiteOk);
    const int seen = calls();
    CHECK(seen <= call && (seen == call || call > 64));
    if (seen == call && call > 64) written += " " + std::to_string(call);
  }
  Same(" 68 72 76 80 85 90 95 100 106", written);
  planner.reset();
  CHECK(calls() == 107);
}

// Says so once, and plans on.
void RecordsNoFurtherWhereItCannot() {
  Context context;
  Planner planner = NewPlanner(&context, Chain());
  CHECK(planner->PlanAllocations() == kTfLiteOk);
  const std::string path = RecordingPath(), away = folder + "-away", said = folder + "-said";
  CHECK(rename(folder.c_str(), away.c_str()) == 0);
  const int error_output = dup(STDERR_FILENO), file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  CHECK(error_output >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
  const bool executed = planner->ExecuteAllocations(0, 1) == kTfLiteOk;
  CHECK(dup2(error_output, STDERR_FILENO) >= 0 && rename(away.c_str(), folder.c_str()) == 0);
  CHECK(executed && planner->ExecuteAllocations(0, 1) == kTfLiteOk);
  planner.reset();
  close(file), close(error_output);
  Same("tflite-arena: planner " + std::to_string(planners) + " is recorded no further in " + folder +
           ": No such file or directory\n",
       Read(said));
  CHECK(unlink(said.c_str()) == 0);
  CHECK(Read(path).find("\"event\":\"execute\"") == std::string::npos);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 2);
  folder = argv[1];
  CHECK(setenv("TFLITE_ARENA_RECORD", argv[1], 1) == 0 && setenv("TFLITE_ARENA_STRATEGY", "greedy", 1) == 0);
  CHECK(setenv("TFLITE_ARENA_LOG", (folder + "/log").c_str(), 1) == 0);
  TellsWhatHasChanged();
  ANewPlanForgetsWhatWasReadBefore();
  ReleasingAndResettingAreEvents();
  AFailureIsToldWithItsReason();
  PlacesAndTotalsAreTheRuntimes();
  LogsPlacesThatAreNewOrOthers();
  TellsWhatAlignmentCosts();
  IsWrittenAtEachOfTheFirstCallsAndThenEverMoreRarely();
  RecordsNoFurtherWhereItCannot();
  return 0;
}
