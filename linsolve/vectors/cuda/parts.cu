#include "linsolve/vectors/cuda/parts.cuh"

#include "core/memory.h"

struct hp_vector_streams {
  hp_device *D;
  cudaStream_t stream[HP_KERNEL_STREAMS_MAX]; /* the first is the device's; the others are made when first used */
  cudaEvent_t fork, join[HP_KERNEL_STREAMS_MAX];
};

hp_status hp_vector_streams_create(hp_device *D, hp_vector_streams **out) {
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "streams"));
  (*out)->D = D;
  (*out)->stream[0] = hp_device_stream(D);
  return HP_OK;
}

void hp_vector_streams_destroy(hp_vector_streams **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_vector_streams *S = *slot;
  if (S->fork != NULL) cudaEventDestroy(S->fork);
  for (int p = 1; p < HP_KERNEL_STREAMS_MAX; ++p) {
    if (S->join[p] != NULL) cudaEventDestroy(S->join[p]);
    if (S->stream[p] != NULL) cudaStreamDestroy(S->stream[p]);
  }
  hp_free(slot);
}

static hp_status make_event(hp_vector_streams *S, cudaEvent_t *event) {
  if (*event != NULL) return HP_OK;
  return hp_device_check(S->D, cudaEventCreateWithFlags(event, cudaEventDisableTiming), "making an event");
}

hp_status hp_vector_streams_fork(hp_vector_streams *S, int parts) {
  if (parts < 2) return HP_OK;
  HP_TRY(make_event(S, &S->fork));
  HP_CUDA_TRY(S->D, cudaEventRecord(S->fork, S->stream[0]));
  for (int p = 1; p < parts; ++p) {
    if (S->stream[p] == NULL) HP_CUDA_TRY(S->D, cudaStreamCreateWithFlags(&S->stream[p], cudaStreamNonBlocking));
    HP_TRY(make_event(S, &S->join[p]));
    HP_CUDA_TRY(S->D, cudaStreamWaitEvent(S->stream[p], S->fork, 0));
  }
  return HP_OK;
}

cudaStream_t hp_vector_stream(hp_vector_streams *S, int part) { return S->stream[part]; }

hp_status hp_vector_streams_join(hp_vector_streams *S, int parts) {
  for (int p = 1; p < parts; ++p) {
    HP_CUDA_TRY(S->D, cudaEventRecord(S->join[p], S->stream[p]));
    HP_CUDA_TRY(S->D, cudaStreamWaitEvent(S->stream[0], S->join[p], 0));
  }
  return HP_OK;
}
