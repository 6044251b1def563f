/* hlo_async.h: instructions that come as a start and a done, and what talks to the host. Since
 * programs run in order on one participant, the start does the work and the done returns its
 * result. A start returns a tuple that also has the parts which only a scheduler needs (contexts,
 * the operands), since the done takes its part by number. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_ASYNC_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_ASYNC_H

#include "compiler/frontend/hlo/hlo_body.h"

/* async-start and async-done: a computation. */
struct error *hlo_async_start(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);
struct error *hlo_async_done(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out);

/* all-gather-start, collective-permute-start, all-reduce-start: what the name begins with. */
struct error *hlo_async_collective(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out);
/* all-gather-done, collective-permute-done */
struct error *hlo_async_collective_done(struct hlo_frame *f, const hlo_instruction *in,
                                        const struct hlo_node **out);

/* copy-start gives (copy, original, context); copy-done the copy. */
struct error *hlo_async_copy(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out);
struct error *hlo_async_copy_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);

/* send, send-done, recv, recv-done, infeed, outfeed. */
struct error *hlo_async_send(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out);
struct error *hlo_async_send_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);
struct error *hlo_async_recv(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out);
struct error *hlo_async_recv_done(struct hlo_frame *f, const hlo_instruction *in,
                                  const struct hlo_node **out);
struct error *hlo_async_infeed(struct hlo_frame *f, const hlo_instruction *in,
                               const struct hlo_node **out);
struct error *hlo_async_outfeed(struct hlo_frame *f, const hlo_instruction *in,
                                const struct hlo_node **out);

#endif
