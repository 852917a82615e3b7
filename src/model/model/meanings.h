/* Dictionary from words of other programs and textbooks to the words of the model file. */
#ifndef RBV_MODEL_MODEL_MEANINGS_H
#define RBV_MODEL_MODEL_MEANINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum RbvMeaningOf { RBV_MEANING_JOINT, RBV_MEANING_LOAD, RBV_MEANING_KEY } RbvMeaningOf;

/* Meaning of a foreign word: a space-separated list of candidate words, the likeliest first; or, with *sentence true,
 * a whole sentence where no single word fits. NULL: unknown word. Letter case, '-', '_' and blanks are ignored. */
const char *rbv_meaning(RbvMeaningOf of, const char *word, bool spatial, bool *sentence);

/* Advice, as a sentence, for a key that has no counterpart in this place; NULL: none. `where` names the item that
 * contains the key, such as "stop 'a'". */
const char *rbv_meaning_elsewhere(const char *where, const char *word);

#endif
