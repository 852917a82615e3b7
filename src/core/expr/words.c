/* Tables of words and characters of the expression language; see words.h. */
#include "core/expr/words.h"

#include "core/expr/node.h"

#include <string.h>

const char *rbv_expr_lookalike(const char *c) {
    static const char *const pairs[][2] = {
        {"\xC3\x97", "*"},
        {"\xC2\xB7", "*"},
        {"\xE2\x8B\x85", "*"},
        {"\xE2\x88\x92", "-"},
        {"\xE2\x80\x93", "-"},
        {"\xC3\xB7", "/"},
        {"\xC2\xB2", "^2"},
        {"\xC2\xB3", "^3"},
        {"\xE2\x80\x99", "'"},
        {"\xE2\x80\xB2", "'"},
        {"\xE2\x80\x98", "no quotes inside of an expression"},
        {"\xE2\x80\x9C", "no quotes inside of an expression"},
        {"\xE2\x80\x9D", "no quotes inside of an expression"},
        {"\xE2\x80\x9E", "no quotes inside of an expression"},
        {"\xC2\xA0", "a plain blank; this one does not break"},
        {"\xE2\x80\xAF", "a plain blank; this one does not break"},
        {"\xE2\x80\x89", "a plain blank; this one is a thin one"},
        {"\xCF\x80", "pi"},
        {"\xC2\xB0", "[deg]"},
        {"\xE2\x89\xA4", "<="},
        {"\xE2\x89\xA5", ">="},
        {"\xE2\x89\xA0", "!="},
        {"\xE2\x80\xB3", "''"},
        {"**", "^"},
        {"&&", "and"},
        {"&", "and"},
        {"||", "or"},
        {"|", "or"},
        {"!", "not"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        if (strncmp(c, pairs[k][0], strlen(pairs[k][0])) == 0)
            return pairs[k][1];
    }
    return NULL;
}

int rbv_expr_character_length(const char *c) {
    int n = 1;
    while (n < 4 && ((unsigned char)c[0] & 0xC0u) == 0xC0u && ((unsigned char)c[n] & 0xC0u) == 0x80u)
        n++;
    return n;
}

bool rbv_expr_is_coordinate(const char *word) {
    bool spin = word[0] == 'w' && word[1] >= 'x' && word[1] <= 'z' && word[2] == '\0';
    return strcmp(word, "distance") == 0 || strcmp(word, "angle") == 0 || strcmp(word, "dot") == 0 || spin ||
           (word[0] >= 'x' && word[0] <= 'z' && word[1] == '\0');
}

bool rbv_expr_is_function(const char *name) {
    static const char *const words[] = {"pi", "and", "or", "not", "here"};
    for (int32_t k = 0; name != NULL && k < (int32_t)(sizeof words / sizeof words[0]); k++) {
        if (strcmp(words[k], name) == 0)
            return true;
    }
    return name != NULL && rbv_expr_function(name) != NULL;
}
