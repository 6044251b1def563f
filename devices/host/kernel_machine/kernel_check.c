#include "devices/host/kernel_machine/kernel_check.h"
struct error *kernel_check_begin(struct kernel_run *run)
{
    (void)run;
    return NULL;
}
void kernel_check_destroy(struct kernel_run *run)
{
    (void)run;
}
enum kernel_flow kernel_check_load(struct kernel_core *core, const struct kernel_instr *in,
                                   const struct kernel_view *box, int bytes)
{
    (void)core;
    (void)in;
    (void)box;
    (void)bytes;
    return 0;
}
enum kernel_flow kernel_check_store(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_view *box, int bytes, const uint8_t *mask)
{
    (void)core;
    (void)in;
    (void)box;
    (void)bytes;
    (void)mask;
    return 0;
}
enum kernel_flow kernel_check_step(struct kernel_core *core, const struct kernel_instr *in)
{
    (void)core;
    (void)in;
    return 0;
}
enum kernel_flow kernel_check_start(struct kernel_core *core, const struct kernel_instr *in,
                                    const struct kernel_dma *dma)
{
    (void)core;
    (void)in;
    (void)dma;
    return 0;
}
void kernel_check_end(struct kernel_run *run, const struct kernel_dma *dma)
{
    (void)run;
    (void)dma;
}
void kernel_check_waited(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter,
                         int64_t amount)
{
    (void)core;
    (void)in;
    (void)buffer;
    (void)counter;
    (void)amount;
}
void kernel_check_signal(struct kernel_core *core, const struct kernel_instr *in,
                         const struct kernel_buffer *buffer, struct kernel_counter *counter)
{
    (void)core;
    (void)in;
    (void)buffer;
    (void)counter;
}
enum kernel_flow kernel_check_fetch(struct kernel_core *core, const struct kernel_view *array,
                                    const struct kernel_view *window, int bytes)
{
    (void)core;
    (void)array;
    (void)window;
    (void)bytes;
    return 0;
}
enum kernel_flow kernel_check_write_back(struct kernel_core *core, int array_number,
                                         const struct kernel_view *window,
                                         const struct kernel_view *array, int bytes)
{
    (void)core;
    (void)array_number;
    (void)window;
    (void)array;
    (void)bytes;
    return 0;
}
void kernel_check_enter(struct kernel_core *core, struct kernel_buffer *window, int array_number,
                        const int64_t *block, int rank)
{
    (void)core;
    (void)window;
    (void)array_number;
    (void)block;
    (void)rank;
}
struct error *kernel_check_finish(struct kernel_run *run)
{
    (void)run;
    return NULL;
}
