/* SPDX-License-Identifier: MIT
 *
 * Reads a GeoTIFF by libtiff, which knows strips, tiles, codings and predictors; the keys of a
 * GeoTIFF are unknown tags for it. It runs in a process of its own (apart.h). */
#include "geotiff.h"

#ifndef HK_TIFF

bool hk_auv_read_geotiff(const char *path, const void *options, block *ret_block, words *why) {
    (void)options, (void)ret_block;
    hk_auv_fail(why,
                "'%s' cannot be read: this plugin was built without libtiff; install "
                "libtiff-dev and build it again",
                path);
    return false;
}

#else

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/* Of pixels: 400 MB. */
static const uint64_t LARGEST = 100 * 1000 * 1000;
/* Of one strip or tile, in bytes. */
static const uint64_t LARGEST_PIECE = UINT64_C(1) << 30;

enum { TAG_SCALE = 33550, TAG_TIES = 33922, TAG_MATRIX = 34264, TAG_KEYS = 34735 };
enum { TAG_NODATA = 42113 };

static struct {
#define TIFF_FUNCTION(name) __typeof__(name) *name;
#include "libtiff.def"
#undef TIFF_FUNCTION
} lib;

static char reason[160]; /* what libtiff has said first */

__attribute__((format(printf, 2, 0))) static void note_reason(const char *module,
                                                              const char *format, va_list list) {
    (void)module;
    if (!*reason)
        vsnprintf(reason, sizeof reason, format, list);
}

static const char *load_library(void) {
    static bool loaded;
    const symbol symbols[] = {
#define TIFF_FUNCTION(name) {#name, &lib.name},
#include "libtiff.def"
#undef TIFF_FUNCTION
    };
    const char *missing = loaded ? NULL : hk_auv_load(HK_TIFF_LIBRARY, symbols, COUNT(symbols));
    loaded = !missing;
    if (missing)
        return missing;
    lib.TIFFSetErrorHandler(note_reason);
    lib.TIFFSetWarningHandler(NULL);
    return NULL;
}

typedef struct image {
    const char *path;
    TIFF *tiff;
    uint32_t width, height;
    uint16_t bits, format, samples, planar, band; /* band: from 0 */
    bool tiled;
    uint32_t piece_width, piece_height; /* of a strip or tile */
    bool has_nodata;
    double nodata;
    words *why;
} image;

static bool fail_library(image *x, const char *what) {
    hk_auv_fail(x->why, "'%s' %s: %.100s", x->path, what, *reason ? reason : "it is damaged");
    return false;
}

/* ---- tags ---- */

/* The values of a tag that libtiff does not know, if they have the type that they should have. */
static const void *unknown_tag(image *x, uint32_t tag, TIFFDataType type, uint32_t *ret_count) {
    const TIFFField *field = lib.TIFFFindField(x->tiff, tag, TIFF_ANY);
    void *values = NULL;
    *ret_count = 0;
    if (!field || lib.TIFFFieldDataType(field) != type || !lib.TIFFFieldPassCount(field) ||
        lib.TIFFFieldReadCount(field) != TIFF_VARIABLE2 ||
        !lib.TIFFGetField(x->tiff, tag, ret_count, &values) || !values)
        *ret_count = 0;
    return *ret_count ? values : NULL;
}

static void read_nodata(image *x) {
    uint32_t count;
    const char *text = unknown_tag(x, TAG_NODATA, TIFF_ASCII, &count);
    char copy[64] = "", *end;
    if (text)
        snprintf(copy, sizeof copy, "%.*s", (int)(count < 63 ? count : 63), text);
    x->nodata = strtod(copy, &end);
    x->has_nodata = end != copy;
}

static bool read_size(image *x) {
    if (!lib.TIFFGetField(x->tiff, TIFFTAG_IMAGEWIDTH, &x->width) ||
        !lib.TIFFGetField(x->tiff, TIFFTAG_IMAGELENGTH, &x->height) || !x->width || !x->height)
        return fail_library(x, "has no size");
    if ((uint64_t)x->width * x->height > LARGEST)
        return hk_auv_fail(x->why,
                           "'%s' has %u x %u pixels, more than the %llu that are read: cut out "
                           "what is needed, for example by gdal_translate -projwin",
                           x->path, x->width, x->height, (unsigned long long)LARGEST),
               false;
    return true;
}

static bool read_type(image *x) {
    lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_BITSPERSAMPLE, &x->bits);
    lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_SAMPLESPERPIXEL, &x->samples);
    lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_PLANARCONFIG, &x->planar);
    lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_SAMPLEFORMAT, &x->format);
    bool whole = x->format == SAMPLEFORMAT_UINT || x->format == SAMPLEFORMAT_INT;
    bool real = x->format == SAMPLEFORMAT_IEEEFP;
    if (!(whole && (x->bits == 8 || x->bits == 16)) &&
        !((whole || real) && (x->bits == 32 || x->bits == 64)))
        return hk_auv_fail(x->why,
                           "'%s' has samples of %u bits in format %u: whole numbers of 8 to 64 "
                           "bits and real ones of 32 and 64 bits are read",
                           x->path, x->bits, x->format),
               false;
    if (x->band >= x->samples)
        return hk_auv_fail(x->why, "'%s' has %u bands: there is no band %u", x->path, x->samples,
                           x->band + 1u),
               false;
    uint16_t coding = COMPRESSION_NONE;
    lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_COMPRESSION, &coding);
    if (!lib.TIFFIsCODECConfigured(coding))
        return hk_auv_fail(x->why,
                           "'%s' is compressed by method %u, which this libtiff does not know: "
                           "gdal_translate -co COMPRESS=DEFLATE writes another",
                           x->path, coding),
               false;
    return true;
}

static bool read_pieces(image *x) {
    x->tiled = lib.TIFFIsTiled(x->tiff);
    uint64_t size = x->tiled ? lib.TIFFTileSize64(x->tiff) : lib.TIFFStripSize64(x->tiff);
    if (x->tiled) {
        lib.TIFFGetField(x->tiff, TIFFTAG_TILEWIDTH, &x->piece_width);
        lib.TIFFGetField(x->tiff, TIFFTAG_TILELENGTH, &x->piece_height);
    } else {
        x->piece_width = x->width;
        lib.TIFFGetFieldDefaulted(x->tiff, TIFFTAG_ROWSPERSTRIP, &x->piece_height);
        if (x->piece_height > x->height)
            x->piece_height = x->height;
    }
    uint64_t samples = x->planar == PLANARCONFIG_SEPARATE ? 1 : x->samples;
    uint64_t row = (uint64_t)x->piece_width * samples * (x->bits / 8u);
    if (!x->piece_width || !x->piece_height || size > LARGEST_PIECE ||
        row > LARGEST_PIECE / x->piece_height || size < row * x->piece_height)
        return hk_auv_fail(x->why,
                           "'%s' has strips or tiles of %u x %u pixels in %llu bytes: it "
                           "is damaged, or of a kind that is not read",
                           x->path, x->piece_width, x->piece_height, (unsigned long long)size),
               false;
    return true;
}

/* ---- numbers ---- */

/* What is not known becomes not a number. Marks for that are compared as numbers of the file. */
static float number_of(const image *x, const unsigned char *at) {
    double value;
    bool missing;
#define TAKE(type)                                                                                 \
    {                                                                                              \
        type number;                                                                               \
        memcpy(&number, at, sizeof number);                                                        \
        value = (double)number;                                                                    \
    }                                                                                              \
    break
    switch (x->format * 100 + x->bits) {
    case SAMPLEFORMAT_UINT * 100 + 8:
        TAKE(uint8_t);
    case SAMPLEFORMAT_UINT * 100 + 16:
        TAKE(uint16_t);
    case SAMPLEFORMAT_UINT * 100 + 32:
        TAKE(uint32_t);
    case SAMPLEFORMAT_UINT * 100 + 64:
        TAKE(uint64_t);
    case SAMPLEFORMAT_INT * 100 + 8:
        TAKE(int8_t);
    case SAMPLEFORMAT_INT * 100 + 16:
        TAKE(int16_t);
    case SAMPLEFORMAT_INT * 100 + 32:
        TAKE(int32_t);
    case SAMPLEFORMAT_INT * 100 + 64:
        TAKE(int64_t);
    case SAMPLEFORMAT_IEEEFP * 100 + 32:
        TAKE(float);
    default:
        TAKE(double);
    }
#undef TAKE
    if (x->format == SAMPLEFORMAT_IEEEFP && x->bits == 32)
        missing = x->has_nodata && (float)value == (float)x->nodata;
    else
        missing = x->has_nodata && value == x->nodata;
    return missing || !(fabs(value) < 1e30) ? NAN : (float)value;
}

/* A piece whose first pixel is the one in ROW and COLUMN of the image. */
static void copy_piece(const image *x, const unsigned char *piece, uint32_t row, uint32_t column,
                       float *values) {
    bool separate = x->planar == PLANARCONFIG_SEPARATE;
    size_t bytes = x->bits / 8u, step = bytes * (separate ? 1u : x->samples);
    size_t first = separate ? 0 : bytes * x->band;
    for (uint32_t r = 0; r < x->piece_height && row + r < x->height; r++) {
        const unsigned char *from = piece + (size_t)r * x->piece_width * step + first;
        float *to = values + (size_t)(row + r) * x->width + column;
        for (uint32_t c = 0; c < x->piece_width && column + c < x->width; c++)
            to[c] = number_of(x, from + (size_t)c * step);
    }
}

/* A piece that is left out, because nothing is known there. */
static void clear_piece(const image *x, uint32_t row, uint32_t column, float *values) {
    for (uint32_t r = 0; r < x->piece_height && row + r < x->height; r++)
        for (uint32_t c = 0; c < x->piece_width && column + c < x->width; c++)
            values[(size_t)(row + r) * x->width + column + c] = NAN;
}

/* How many bytes of a piece are needed: the last strip may be shorter. */
static uint64_t needed(const image *x, uint32_t row) {
    uint64_t rows =
        x->tiled || x->height - row > x->piece_height ? x->piece_height : x->height - row;
    uint64_t samples = x->planar == PLANARCONFIG_SEPARATE ? 1 : x->samples;
    return rows * x->piece_width * samples * (x->bits / 8u);
}

static bool read_piece(image *x, uint32_t row, uint32_t column, unsigned char *piece,
                       float *values) {
    uint32_t number = x->tiled ? lib.TIFFComputeTile(x->tiff, column, row, 0, x->band)
                               : lib.TIFFComputeStrip(x->tiff, row, x->band);
    uint32_t count = x->tiled ? lib.TIFFNumberOfTiles(x->tiff) : lib.TIFFNumberOfStrips(x->tiff);
    if (number >= count)
        return fail_library(x, "has less strips or tiles than it says");
    if (lib.TIFFGetStrileOffset(x->tiff, number) == 0 &&
        lib.TIFFGetStrileByteCount(x->tiff, number) == 0)
        return clear_piece(x, row, column, values), true;
    tmsize_t size = x->tiled ? lib.TIFFReadEncodedTile(x->tiff, number, piece, -1)
                             : lib.TIFFReadEncodedStrip(x->tiff, number, piece, -1);
    if (size < 0 || (uint64_t)size < needed(x, row))
        return fail_library(x, "cannot be read; it is damaged or cut off");
    copy_piece(x, piece, row, column, values);
    return true;
}

static bool read_values(image *x, float *values) {
    uint64_t size = x->tiled ? lib.TIFFTileSize64(x->tiff) : lib.TIFFStripSize64(x->tiff);
    unsigned char *piece = calloc(1, size);
    bool good = piece;
    if (!good)
        hk_auv_fail(x->why, "'%s': there is no memory left", x->path);
    for (uint64_t row = 0; good && row < x->height; row += x->piece_height)
        for (uint64_t column = 0; good && column < x->width; column += x->piece_width)
            good = read_piece(x, (uint32_t)row, (uint32_t)column, piece, values);
    free(piece);
    return good;
}

/* ---- all of it ---- */

static bool read_image(image *x, block *ret_block) {
    if (!read_size(x) || !read_type(x) || !read_pieces(x))
        return false;
    size_t count = (size_t)x->width * x->height;
    size_t size = sizeof(tiff_grid) + count * sizeof(float);
    tiff_grid *grid = calloc(1, size);
    if (!grid)
        return hk_auv_fail(x->why, "'%s': there is no memory left", x->path), false;
    tiff_tags tags = {0};
    grid->width = x->width;
    grid->height = x->height;
    tags.scale = unknown_tag(x, TAG_SCALE, TIFF_DOUBLE, &tags.scale_count);
    tags.ties = unknown_tag(x, TAG_TIES, TIFF_DOUBLE, &tags.tie_count);
    tags.matrix = unknown_tag(x, TAG_MATRIX, TIFF_DOUBLE, &tags.matrix_count);
    tags.keys = unknown_tag(x, TAG_KEYS, TIFF_SHORT, &tags.key_count);
    read_nodata(x);
    if (hk_auv_place_geotiff(x->path, &tags, grid, x->why) && read_values(x, grid->values)) {
        *ret_block = (block){grid, size};
        return true;
    }
    free(grid);
    return false;
}

bool hk_auv_read_geotiff(const char *path, const void *options, block *ret_block, words *why) {
    const char *missing = load_library();
    if (missing)
        return hk_auv_fail(why, "'%s' needs the library %s: %s; install libtiff6", path,
                           HK_TIFF_LIBRARY, missing),
               false;
    int32_t band = *(const int32_t *)options;
    if (band < 1 || band > UINT16_MAX)
        return hk_auv_fail(why, "'%s': the number of a band is 1 or more, not %d", path, (int)band),
               false;
    image x = {.path = path, .band = (uint16_t)(band - 1), .why = why};
    *reason = 0;
    x.tiff = lib.TIFFOpen(path, "rm"); /* not mapped: a file that shrinks would be a signal */
    if (!x.tiff)
        return fail_library(&x, "is not a TIFF file, or it is damaged");
    bool good = read_image(&x, ret_block);
    lib.TIFFClose(x.tiff);
    return good;
}

#endif
