/* Open trees and closed linkages on plain arrays: all of the library libroberval-arrays, which needs the C library and
 * libm only. These headers include no model; trees and linkages of models: system.h, of libroberval, which holds all
 * functions of libroberval-arrays too. A program links one of both. */
#ifndef ROBERVAL_ARRAYS_H
#define ROBERVAL_ARRAYS_H

#include <roberval/base.h>
#include <roberval/linkage.h>
#include <roberval/tree.h>

#endif
