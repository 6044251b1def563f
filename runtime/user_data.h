/* user_data.h: what a client attaches to one of our objects, by key. Starts as {0}. Thread-safe; an
 * object that one thread replaces or clears may still be in use by another: that is the client's
 * to prevent. */
#ifndef GANTRY_RUNTIME_USER_DATA_H
#define GANTRY_RUNTIME_USER_DATA_H

struct user_datum;

struct user_data {
    struct user_datum *first; /* owned; guarded by fork_lock_of() of the user_data */
};

/* The object attached under that key, borrowed; NULL: none. */
void *user_data_get(const struct user_data *all, const void *key);

/* Attaches an object under a key, which is an address and not read, in place of the previous one.
 * `destroy` (may be NULL) is called once with each object when it is replaced or cleared; also with
 * `object` at once when there is no memory. NULL removes the previous one. */
void user_data_set(struct user_data *all, const void *key, void *object,
                   void (*destroy)(void *object));

/* Removes all objects. */
void user_data_clear(struct user_data *all);

#endif
