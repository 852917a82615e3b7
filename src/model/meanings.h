/* Words of other programs and textbooks for what the model file calls by its own word. */
#ifndef RBV_MODEL_MEANINGS_H
#define RBV_MODEL_MEANINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum RbvMeaningOf { RBV_MEANING_JOINT, RBV_MEANING_LOAD, RBV_MEANING_KEY } RbvMeaningOf;

/* What is meant by the word: a space-separated list of candidates, the likeliest first, or a whole sentence where no
 * single word of this kind will do (*sentence). NULL: not known. Letter case, '-', '_' and blanks do not matter. */
const char *rbv_meaning(RbvMeaningOf of, const char *word, bool spatial, bool *sentence);

/* What to write instead of a key that has no counterpart where it stands: a sentence, or NULL. `where` is what the key
 * stands in, as in "stop 'a'". */
const char *rbv_meaning_elsewhere(const char *where, const char *word);

#endif
