# Which files the adapter is made of, for cpp/ itself and for those who compile it into a target of theirs (cmake/). Names are
# relative to this folder.

# What knows nothing of the runtime; what is compiled against its headers; and of that, what is for linking in only.
set(plain_sources environment.cc json_text.cc log.cc names.cc whole_file.cc)
set(planner_sources adapter.cc arena_planner.cc graph_view.cc recorder.cc tensor_log.cc)
set(linked_sources host_linked.cc resizable_aligned_buffer.cc simple_memory_arena.cc)
