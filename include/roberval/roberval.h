/* Roberval: statics, inverse dynamics, motion and joint reactions of rigid multibody systems. */
#ifndef ROBERVAL_ROBERVAL_H
#define ROBERVAL_ROBERVAL_H

#include <roberval/advice.h>
#include <roberval/analysis.h>
#include <roberval/arrays.h>
#include <roberval/base.h>
#include <roberval/draw.h>
#include <roberval/equations.h>
#include <roberval/folder.h>
#include <roberval/input.h>
#include <roberval/joints.h>
#include <roberval/linkage.h>
#include <roberval/model.h>
#include <roberval/options.h>
#include <roberval/recording.h>
#include <roberval/result.h>
#include <roberval/scene.h>
#include <roberval/simulation.h>
#include <roberval/sizing.h>
#include <roberval/state.h>
#include <roberval/study.h>
#include <roberval/system.h>
#include <roberval/tolerance.h>
#include <roberval/tree.h>
#include <roberval/udwadia.h>

#endif
