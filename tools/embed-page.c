/* embed-page PAGE NAME OUT: a page of `report` as C, so that the library needs no other file. The part before the token
 * that stands for the data, NAME_head, and the part behind it, NAME_tail, each as a list of strings up to NULL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "<!--ROBERVAL-DATA-->"
#define LINE 96   /* bytes of the page in a line of C */
#define STRING 40 /* lines in a string: longer ones are not portable */

static void put_byte(FILE *out, unsigned char byte) {
    if (byte == '"' || byte == '\\' || byte == '?')
        fprintf(out, "\\%c", byte);
    else if (byte >= 0x20 && byte < 0x7f)
        fputc(byte, out);
    else
        fprintf(out, "\\%03o", byte);
}

static void put_part(FILE *out, const char *name, const char *part, const char *text, size_t length) {
    fprintf(out, "const char *const %s_%s[] = {\n", name, part);
    for (size_t k = 0; k < length; k += LINE) {
        size_t end = k + LINE < length ? k + LINE : length;
        fputc('"', out);
        for (size_t n = k; n < end; n++)
            put_byte(out, (unsigned char)text[n]);
        fputs(end == length || (k / LINE) % STRING == STRING - 1 ? "\",\n" : "\"\n", out);
    }
    fputs("NULL};\n", out);
}

static char *read_all(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        *length = text ? fread(text, 1, (size_t)size, file) : 0;
        if (text)
            text[*length] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

int main(int argc, char **argv) {
    size_t length = 0;
    char *text = argc == 4 ? read_all(argv[1], &length) : NULL;
    if (!text) {
        fprintf(stderr, "embed-page: cannot read %s\n", argc == 4 ? argv[1] : "three arguments, PAGE, NAME and OUT");
        return 1;
    }
    char *token = strstr(text, TOKEN);
    if (!token || strstr(token + 1, TOKEN) || strlen(text) != length) {
        fprintf(stderr, "embed-page: %s must hold %s once, and no zero\n", argv[1], TOKEN);
        free(text);
        return 1;
    }
    FILE *out = fopen(argv[3], "wb");
    if (!out) {
        fprintf(stderr, "embed-page: cannot write %s\n", argv[3]);
        free(text);
        return 1;
    }
    fputs("/* Made from web/dist/ by tools/embed-page.c. */\n#include \"output/write/report_page.h\"\n\n#include "
          "<stddef.h>\n\n",
          out);
    put_part(out, argv[2], "head", text, (size_t)(token - text));
    put_part(out, argv[2], "tail", token + strlen(TOKEN), length - (size_t)(token - text) - strlen(TOKEN));
    free(text);
    return fclose(out) == 0 ? 0 : 1;
}
