/* Preloaded into Chromium: its WebGPU gets PITH_VULKAN_DRIVER where it opens the SwiftShader beside the browser.
 *
 * The Vulkan loader, through which ANGLE draws the pages, spells that path with "/./" in it; that one is left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char SWIFTSHADER[] = "libvk_swiftshader.so";

static int opens_swiftshader_directly(const char *file) {
    const size_t length = strlen(file), wanted = sizeof SWIFTSHADER - 1;
    return length >= wanted && strcmp(file + length - wanted, SWIFTSHADER) == 0 && !strstr(file, "/./");
}

void *dlopen(const char *file, int mode) {
    static void *(*next)(const char *, int);
    const char *driver = getenv("PITH_VULKAN_DRIVER");
    if (!next) next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file && driver && opens_swiftshader_directly(file) ? driver : file, mode);
}
