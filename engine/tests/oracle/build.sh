#!/bin/sh
# Builds libllama with plain CPU kernels, and the driver: build.sh SDIST OUT
#
# SDIST is the unpacked source of llama-cpp-python 0.3.36, whose vendor/llama.cpp is copied to OUT before it is changed:
# GELU by formula, not by a table in F16. Without SIMD, dot products are summed in double.
# Needs cmake, ninja and a C++17 compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
cp -r "$1/vendor/llama.cpp" "$out/llama.cpp"
cd "$out"
sed -i 's/^#define GGML_GELU_FP16//; s/^#define GGML_GELU_QUICK_FP16//' llama.cpp/ggml/src/ggml-cpu/vec.h
cmake -G Ninja -S llama.cpp -B build -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE=-O1 -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DBUILD_SHARED_LIBS=ON \
    -DGGML_NATIVE=OFF -DGGML_SSE42=OFF -DGGML_AVX=OFF -DGGML_AVX2=OFF -DGGML_BMI2=OFF -DGGML_FMA=OFF -DGGML_F16C=OFF \
    -DGGML_OPENMP=OFF -DGGML_LLAMAFILE=OFF -DGGML_CPU_REPACK=OFF \
    -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF
ninja -C build bin/libllama.so
c++ -std=c++17 -O1 -Wall -Illama.cpp/include -Illama.cpp/ggml/include "$here/oracle.cpp" -o oracle \
    -Lbuild/bin -lllama -lggml -lggml-base "-Wl,-rpath,$out/build/bin"
echo "$out/oracle"
