/* A Vulkan driver that is another one in disguise: Mesa's lavapipe under the identity that Chromium's WebGPU knows.
 *
 * Chromium lets WebGPU run on one software driver only, SwiftShader, which it recognises by its PCI numbers. Every
 * entry point is lavapipe's own; only the answer to "who are you" carries those numbers.
 *
 * PITH_LAVAPIPE names the driver to load. Test equipment: nothing of it is shipped.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWIFTSHADER_VENDOR 0x1AE0u
#define SWIFTSHADER_DEVICE 0xC0DEu

/* The Vulkan loader's interface version that both sides speak. */
#define INTERFACE_VERSION 5u

typedef void (*Entry)(void);
typedef Entry (*Lookup)(void *instance, const char *name);
typedef int32_t (*Negotiate)(uint32_t *version);

/* The head of VkPhysicalDeviceProperties, as far as it is changed here. */
struct Properties {
    uint32_t api_version;
    uint32_t driver_version;
    uint32_t vendor;
    uint32_t device;
};

/* VkPhysicalDeviceProperties2. */
struct Properties2 {
    int32_t type;
    void *next;
    struct Properties properties;
};

typedef void (*GetProperties)(void *device, struct Properties *out);
typedef void (*GetProperties2)(void *device, struct Properties2 *out);

static Lookup real_instance_lookup, real_device_lookup;
static Negotiate real_negotiate;
static GetProperties real_properties;
static GetProperties2 real_properties2;

static void load_real_driver(void) {
    const char *path = getenv("PITH_LAVAPIPE");
    void *library;
    if (real_instance_lookup) return;
    library = dlopen(path ? path : "libvulkan_lvp.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "lavapipe does not load: %s\n", dlerror());
        abort();
    }
    real_device_lookup = (Lookup)dlsym(library, "vk_icdGetPhysicalDeviceProcAddr");
    real_negotiate = (Negotiate)dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion");
    real_instance_lookup = (Lookup)dlsym(library, "vk_icdGetInstanceProcAddr");
}

static void disguise(struct Properties *properties) {
    properties->vendor = SWIFTSHADER_VENDOR;
    properties->device = SWIFTSHADER_DEVICE;
}

static void get_properties(void *device, struct Properties *out) {
    real_properties(device, out);
    disguise(out);
}

static void get_properties2(void *device, struct Properties2 *out) {
    real_properties2(device, out);
    disguise(&out->properties);
}

/* Puts our function in the place of the driver's where it tells its identity. */
static Entry wrapped(const char *name, Entry real) {
    if (!real) return NULL;
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0) {
        real_properties = (GetProperties)real;
        return (Entry)get_properties;
    }
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") == 0 || strcmp(name, "vkGetPhysicalDeviceProperties2KHR") == 0) {
        real_properties2 = (GetProperties2)real;
        return (Entry)get_properties2;
    }
    return real;
}

Entry vk_icdGetInstanceProcAddr(void *instance, const char *name) {
    load_real_driver();
    return wrapped(name, real_instance_lookup(instance, name));
}

Entry vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) {
    load_real_driver();
    return wrapped(name, real_device_lookup(instance, name));
}

int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
    load_real_driver();
    return real_negotiate(version);
}

/* What WebGPU asks for, which opens the driver without the Vulkan loader and so agrees on no version. */
Entry vkGetInstanceProcAddr(void *instance, const char *name) {
    static int agreed;
    load_real_driver();
    if (!agreed) {
        uint32_t version = INTERFACE_VERSION;
        real_negotiate(&version);
        agreed = 1;
    }
    if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (Entry)vkGetInstanceProcAddr;
    return vk_icdGetInstanceProcAddr(instance, name);
}
