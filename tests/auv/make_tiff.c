/* SPDX-License-Identifier: MIT
 *
 * Writes a GeoTIFF for tests: make_tiff OUT NUMBERS WIDTH HEIGHT [NAME=VALUE...], where NUMBERS is
 * a file of doubles, row by row, the northernmost first. Names: type (u8 u16 i16 i32 f32 f64),
 * coding (a number of TIFF), predictor, rows (of a strip), tile (side), samples (the others are 0),
 * band (from 1: which one holds the numbers), planar (2: separate), scale (sx,sy), tie (i,j,x,y),
 * matrix (m0,m1,m3,m4,m5,m7), keys (key,value,...), nodata (text), sparse (1: strips of nodata are
 * left out). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

enum { MOST = 32 };

static const char *option(int count, char **words, const char *name, const char *otherwise) {
    for (int i = 0; i < count; i++)
        if (strncmp(words[i], name, strlen(name)) == 0 && words[i][strlen(name)] == '=')
            return words[i] + strlen(name) + 1;
    return otherwise;
}

static int number_list(const char *text, double *numbers) {
    int count = 0;
    for (char *end; *text && count < MOST; text = *end ? end + 1 : end)
        numbers[count++] = strtod(text, &end);
    return count;
}

static const TIFFFieldInfo fields[] = {
    {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"ModelPixelScale"},
    {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"ModelTiepoint"},
    {34264, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"ModelTransformation"},
    {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, (char *)"GeoKeyDirectory"},
    {42113, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"GDALNoData"},
};

static void extend(TIFF *tiff) {
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof *fields);
}

static void put_place(TIFF *tiff, int count, char **words) {
    double n[MOST] = {0};
    if (number_list(option(count, words, "scale", ""), n) == 2)
        TIFFSetField(tiff, 33550, 3, (double[]){n[0], n[1], 0});
    int ties = number_list(option(count, words, "tie", ""), n) / 4;
    double points[6 * MOST] = {0};
    for (int i = 0; i < ties; i++) {
        points[6 * i] = n[4 * i];
        points[6 * i + 1] = n[4 * i + 1];
        points[6 * i + 3] = n[4 * i + 2];
        points[6 * i + 4] = n[4 * i + 3];
    }
    if (ties)
        TIFFSetField(tiff, 33922, 6 * ties, points);
    if (number_list(option(count, words, "matrix", ""), n) == 6)
        TIFFSetField(tiff, 34264, 16,
                     (double[]){n[0], n[1], 0, n[2], n[3], n[4], 0, n[5], 0, 0, 0, 0, 0, 0, 0, 1});
    int keys = number_list(option(count, words, "keys", ""), n) / 2;
    uint16_t directory[4 + 4 * MOST] = {1, 1, 0, (uint16_t)keys};
    for (int i = 0; i < keys; i++) {
        directory[4 + 4 * i] = (uint16_t)n[2 * i];
        directory[6 + 4 * i] = 1;
        directory[7 + 4 * i] = (uint16_t)n[2 * i + 1];
    }
    if (keys)
        TIFFSetField(tiff, 34735, 4 + 4 * keys, directory);
    const char *nodata = option(count, words, "nodata", "");
    if (*nodata)
        TIFFSetField(tiff, 42113, nodata);
}

typedef struct layout {
    const char *type;
    int bytes, samples, band, separate;
    uint32_t width, height, piece_width, piece_height;
    double nodata;
} layout;

static void put_number(const layout *x, unsigned char *to, double number) {
    union {
        uint8_t u8;
        uint16_t u16;
        int16_t i16;
        int32_t i32;
        float f32;
        double f64;
    } all;
    switch (x->type[0] * 100 + atoi(x->type + 1)) {
    case 'u' * 100 + 8:
        all.u8 = (uint8_t)number;
        break;
    case 'u' * 100 + 16:
        all.u16 = (uint16_t)number;
        break;
    case 'i' * 100 + 16:
        all.i16 = (int16_t)number;
        break;
    case 'i' * 100 + 32:
        all.i32 = (int32_t)number;
        break;
    case 'f' * 100 + 32:
        all.f32 = (float)number;
        break;
    default:
        all.f64 = number;
    }
    memcpy(to, &all, (size_t)x->bytes);
}

/* True if all of it is nodata. */
static int fill_piece(const layout *x, const double *numbers, uint32_t row, uint32_t column,
                      int sample, unsigned char *piece) {
    int empty = 1, samples = x->separate ? 1 : x->samples;
    for (uint32_t r = 0; r < x->piece_height; r++)
        for (uint32_t c = 0; c < x->piece_width; c++) {
            uint32_t i = row + r < x->height ? row + r : x->height - 1;
            uint32_t j = column + c < x->width ? column + c : x->width - 1;
            double number = numbers[(size_t)i * x->width + j];
            empty = empty && number == x->nodata;
            for (int s = 0; s < samples; s++)
                put_number(x,
                           piece + (size_t)x->bytes *
                                       ((r * x->piece_width + c) * (size_t)samples + (size_t)s),
                           (x->separate ? sample : s) == x->band ? number : 0);
        }
    return empty;
}

static void put_layout(TIFF *tiff, const layout *x, uint32_t tile, int argc, char **argv) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, x->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, x->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * x->bytes);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, x->samples);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, *x->type == 'f' ? 3 : *x->type == 'i' ? 2 : 1);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, x->separate ? 2 : 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, atoi(option(argc, argv, "coding", "1")));
    if (*option(argc, argv, "predictor", ""))
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, atoi(option(argc, argv, "predictor", "1")));
    if (tile) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, x->piece_height);
    }
}

static int write_piece(TIFF *tiff, const layout *x, uint32_t row, uint32_t column, int sample,
                       unsigned char *piece) {
    int tiled = TIFFIsTiled(tiff);
    uint32_t left = x->height - row;
    uint32_t rows = !tiled && left < x->piece_height ? left : x->piece_height;
    tmsize_t bytes = (tmsize_t)((size_t)x->piece_width * rows *
                                (size_t)(x->bytes * (x->separate ? 1 : x->samples)));
    if (tiled)
        return TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, column, row, 0, (uint16_t)sample),
                                    piece, bytes) >= 0;
    return TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, row, (uint16_t)sample), piece,
                                 bytes) >= 0;
}

static int write_pieces(TIFF *tiff, const layout *x, const double *numbers, int sparse) {
    unsigned char *piece =
        calloc(1, (size_t)x->piece_width * x->piece_height * (size_t)(x->bytes * x->samples));
    int good = piece != NULL, planes = x->separate ? x->samples : 1;
    for (int s = 0; s < planes; s++)
        for (uint32_t r = 0; r < x->height; r += x->piece_height)
            for (uint32_t c = 0; good && c < x->width; c += x->piece_width)
                if (!fill_piece(x, numbers, r, c, s, piece) || !sparse)
                    good = write_piece(tiff, x, r, c, s, piece);
    free(piece);
    return good;
}

int main(int argc, char **argv) {
    if (argc < 5)
        return 2;
    layout x = {.type = option(argc, argv, "type", "f32"),
                .samples = atoi(option(argc, argv, "samples", "1")),
                .band = atoi(option(argc, argv, "band", "1")) - 1,
                .separate = atoi(option(argc, argv, "planar", "1")) == 2,
                .width = (uint32_t)atoi(argv[3]),
                .height = (uint32_t)atoi(argv[4])};
    size_t count = (size_t)x.width * x.height;
    double *numbers = malloc(count * sizeof *numbers);
    FILE *file = fopen(argv[2], "rb");
    if (!numbers || !file || fread(numbers, sizeof *numbers, count, file) != count)
        return 2;
    fclose(file);
    TIFFSetTagExtender(extend);
    TIFF *tiff = TIFFOpen(argv[1], "w");
    if (!tiff)
        return 2;
    x.bytes = atoi(x.type + 1) / 8;
    uint32_t tile = (uint32_t)atoi(option(argc, argv, "tile", "0"));
    uint32_t rows = (uint32_t)atoi(option(argc, argv, "rows", "0"));
    x.piece_width = tile ? tile : x.width;
    x.piece_height = tile ? tile : rows ? rows : x.height;
    put_layout(tiff, &x, tile, argc, argv);
    put_place(tiff, argc, argv);
    x.nodata = strtod(option(argc, argv, "nodata", "nan"), NULL);
    int good = write_pieces(tiff, &x, numbers, atoi(option(argc, argv, "sparse", "0")));
    TIFFClose(tiff);
    free(numbers);
    return good ? 0 : 1;
}
