/* ways.c: the ways to an all-reduce of base/loggp.h as a program of MPI, of which SimGrid says how
 * long it takes:
 *
 *     smpirun ... ways WAY BYTES
 *
 * Prints the simulated seconds. Only messages are sent; nothing is combined. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *buffer; /* all messages are in one place: their contents do not matter */
static MPI_Request *requests;
static int rank, size;

static void each_to_each(int bytes)
{
    int count = 0;
    for (int i = 1; i < size; i++)
        MPI_Irecv(buffer, bytes, MPI_CHAR, (rank - i + size) % size, 0, MPI_COMM_WORLD,
                  &requests[count++]);
    for (int i = 1; i < size; i++)
        MPI_Isend(buffer, bytes, MPI_CHAR, (rank + i) % size, 0, MPI_COMM_WORLD,
                  &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static void pass(int to, int from, int bytes)
{
    MPI_Sendrecv(buffer, bytes, MPI_CHAR, to, 0, buffer + bytes, bytes, MPI_CHAR, from, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run(const char *way, int bytes)
{
    if (!strcmp(way, "direct")) {
        each_to_each(bytes);
    } else if (!strcmp(way, "parts")) {
        each_to_each(bytes / size);
        each_to_each(bytes / size);
    } else if (!strcmp(way, "ring")) {
        for (int i = 0; i < 2 * (size - 1); i++)
            pass((rank + 1) % size, (rank + size - 1) % size, bytes / size);
    } else {
        int halves = !strcmp(way, "halving"), part = bytes;
        for (int distance = 1; distance < size; distance *= 2)
            pass(rank ^ distance, rank ^ distance, halves ? part /= 2 : bytes);
        for (int distance = size / 2; halves && distance; distance /= 2, part *= 2)
            pass(rank ^ distance, rank ^ distance, part);
    }
}

/* All begin at the same simulated time. */
static double begin_together(void)
{
    double now = MPI_Wtime(), begin;
    MPI_Allreduce(&now, &begin, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    begin += 1;
    usleep((useconds_t)((begin - MPI_Wtime()) * 1e6));
    return MPI_Wtime();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int bytes = argc > 2 ? atoi(argv[2]) : 0;
    buffer = calloc(2, (size_t)bytes + 1);
    requests = calloc(2, (size_t)size * sizeof *requests);
    double begin = begin_together(), mine, longest;
    run(argc > 1 ? argv[1] : "", bytes);
    mine = MPI_Wtime() - begin;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("seconds %.9g\n", longest);
    free(buffer);
    free(requests);
    return MPI_Finalize();
}
