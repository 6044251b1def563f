/* hlo_async.h: converts asynchronous instructions (pairs of start and done) and transfers with the
 * host. Programs run in order, so the start does the work and the done returns its result. The
 * tuple of a start also has the elements that only a scheduler needs (contexts, the operands),
 * because the done selects its element by index. */
#ifndef GANTRY_COMPILER_FRONTEND_HLO_HLO_ASYNC_H
#define GANTRY_COMPILER_FRONTEND_HLO_HLO_ASYNC_H

#include "compiler/frontend/hlo/hlo_body.h"

/* async-start and async-done, which call a computation. */
struct error *hlo_async_start(struct hlo_frame *f, const hlo_instruction *in,
                              const struct hlo_node **out);
struct error *hlo_async_done(struct hlo_frame *f, const hlo_instruction *in,
                             const struct hlo_node **out);

/* all-gather-start, collective-permute-start, all-reduce-start: the collective itself. */
struct error *hlo_async_collective(struct hlo_frame *f, const hlo_instruction *in,
                                   const struct hlo_node **out);
/* all-gather-done, collective-permute-done */
struct error *hlo_async_collective_done(struct hlo_frame *f, const hlo_instruction *in,
                                        const struct hlo_node **out);

/* copy-start returns (copy, original, context); copy-done the copy. */
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
