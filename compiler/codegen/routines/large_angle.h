/* large_angle.h: reduces large angles by multiples of pi/2. Generated code of trigonometric
 * functions calls it where an angle is too large for the reduction that is part of the code: it is
 * rarely executed, so it is compiled with Gantry and not with each program. */
#ifndef GANTRY_COMPILER_CODEGEN_ROUTINES_LARGE_ANGLE_H
#define GANTRY_COMPILER_CODEGEN_ROUTINES_LARGE_ANGLE_H

#include <stdint.h>

/* From here on angles are too large; without fused multiply-adds, where products of pi/2 round,
 * from LEAST_LARGE_ANGLE on. large_angles() is defined for that magnitude or more, and finite. */
#define LARGE_ANGLE 0x1p28
#define LEAST_LARGE_ANGLE 0x1p22

/* Replaces each angle x[i] by r, where x = quadrant * pi/2 + r + tail and |r| is at most slightly
 * more than pi/4. Only the two low bits of a quadrant are significant; |tail| is at most half a
 * unit in the last place of r. The results are the same on all processors. Thread-safe. */
void large_angles(int64_t count, double *x, double *tail, int64_t *quadrant);

#endif
