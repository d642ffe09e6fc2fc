// Runs a GGUF file through libllama and writes what it computed as little-endian f32.
//
//   oracle MODEL OUT.bin [--lora ADAPTER SCALE]... [--kv TYPE] [--flash] [--embeddings]
//   oracle MODEL --tokenize
//
// Standard input, a line per prompt: `n_decode rows_kept n_ids ids... [forced ids...]`. All prompt rows are written
// where rows_kept is 0, else the last so many; then n_decode rows of greedy decoding, or of feeding the forced ids.
// Standard output, a line per prompt: the ids fed one by one, and how far the best logit was before the second.
// --embeddings writes, per prompt, the pooled vector, then one vector per token with pooling off.
// --tokenize reads a text per line and prints its ids, special tokens added as the model asks.
// The context holds 256 tokens of one sequence; one thread; every prompt is one batch.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "llama.h"

namespace {

constexpr int CONTEXT_TOKENS = 256;

[[noreturn]] void fail(const std::string & what) {
    std::fprintf(stderr, "oracle: %s\n", what.c_str());
    std::exit(1);
}

struct Options {
    std::string model;
    std::string out;
    std::vector<std::pair<std::string, float>> loras;
    ggml_type kv    = GGML_TYPE_F32;
    bool flash      = false;
    bool embeddings = false;
    bool tokenize   = false;
};

ggml_type type_named(const std::string & name) {
    for (ggml_type t : { GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_Q8_0, GGML_TYPE_Q4_0 }) {
        if (name == ggml_type_name(t)) {
            return t;
        }
    }
    fail("no cache type " + name);
}

Options parse(int argc, char ** argv) {
    Options o;
    std::vector<std::string> args(argv + 1, argv + argc);
    auto take = [&](size_t & i) { return ++i < args.size() ? args[i] : (fail("an argument is missing"), ""); };
    for (size_t i = 0; i < args.size(); ++i) {
        if (args[i] == "--lora") {
            const std::string path = take(i);
            o.loras.emplace_back(path, std::stof(take(i)));
        } else if (args[i] == "--kv") {
            o.kv = type_named(take(i));
        } else if (args[i] == "--flash") {
            o.flash = true;
        } else if (args[i] == "--embeddings") {
            o.embeddings = true;
        } else if (args[i] == "--tokenize") {
            o.tokenize = true;
        } else {
            (o.model.empty() ? o.model : o.out) = args[i];
        }
    }
    if (o.model.empty() || (o.out.empty() && !o.tokenize)) {
        fail("usage: oracle MODEL OUT.bin [options]");
    }
    return o;
}

struct Prompt {
    int decode = 0;
    int kept   = 0;
    std::vector<llama_token> ids;
    std::vector<llama_token> forced;
};

bool read_prompt(Prompt & p) {
    std::string line;
    if (!std::getline(std::cin, line) || line.empty()) {
        return false;
    }
    std::istringstream in(line);
    size_t count = 0;
    p = Prompt();
    if (!(in >> p.decode >> p.kept >> count)) {
        fail("a prompt that does not parse: " + line);
    }
    for (llama_token id; in >> id;) {
        (p.ids.size() < count ? p.ids : p.forced).push_back(id);
    }
    return true;
}

llama_context * make_context(llama_model * model, const Options & o, enum llama_pooling_type pooling) {
    llama_context_params p = llama_context_default_params();
    p.n_ctx = p.n_batch = p.n_ubatch = CONTEXT_TOKENS;
    p.n_threads = p.n_threads_batch = 1;
    p.type_k = p.type_v = o.kv;
    p.flash_attn_type = o.flash ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
    p.embeddings      = o.embeddings;
    p.pooling_type    = pooling;
    p.no_perf         = true;
    llama_context * ctx = llama_init_from_model(model, p);
    return ctx ? ctx : (fail("no context"), nullptr);
}

void feed(llama_context * ctx, const llama_token * ids, int count, int position) {
    llama_batch batch = llama_batch_init(count, 0, 1);
    batch.n_tokens    = count;
    for (int i = 0; i < count; ++i) {
        batch.token[i]     = ids[i];
        batch.pos[i]       = position + i;
        batch.n_seq_id[i]  = 1;
        batch.seq_id[i][0] = 0;
        batch.logits[i]    = 1;
    }
    if (llama_decode(ctx, batch) != 0) {
        fail("llama_decode");
    }
    llama_batch_free(batch);
}

void write(FILE * out, const float * row, size_t count) {
    if (!row || std::fwrite(row, sizeof(float), count, out) != count) {
        fail("a row could not be written");
    }
}

// The best token (the lowest of equals), and how far it is before the second.
std::pair<llama_token, float> best(const float * row, int count) {
    const int top = int(std::max_element(row, row + count) - row);
    float second  = -INFINITY;
    for (int i = 0; i < count; ++i) {
        second = i == top ? second : std::max(second, row[i]);
    }
    return { top, row[top] - second };
}

void logits(llama_context * ctx, const Prompt & p, int vocab, FILE * out) {
    llama_memory_clear(llama_get_memory(ctx), true);
    const int n = int(p.ids.size());
    feed(ctx, p.ids.data(), n, 0);
    for (int i = p.kept ? n - p.kept : 0; i < n; ++i) {
        write(out, llama_get_logits_ith(ctx, i), vocab);
    }
    auto [next, margin] = best(llama_get_logits_ith(ctx, n - 1), vocab);
    for (int k = 0; k < p.decode; ++k) {
        const llama_token id = k < int(p.forced.size()) ? p.forced[k] : next;
        std::printf("%d %.9g ", id, margin);
        feed(ctx, &id, 1, n + k);
        const float * row = llama_get_logits_ith(ctx, 0);
        write(out, row, vocab);
        std::tie(next, margin) = best(row, vocab);
    }
    std::printf("\n");
}

void embeddings(llama_context * pooled, llama_context * tokens, const Prompt & p, int width, FILE * out) {
    const int n = int(p.ids.size());
    for (llama_context * ctx : { pooled, tokens }) {
        if (llama_memory_t memory = llama_get_memory(ctx)) {
            llama_memory_clear(memory, true);
        }
        feed(ctx, p.ids.data(), n, 0);
    }
    write(out, llama_get_embeddings_seq(pooled, 0), width);
    for (int i = 0; i < n; ++i) {
        write(out, llama_get_embeddings_ith(tokens, i), width);
    }
    std::printf("%d\n", int(llama_pooling_type(pooled)));
}

void tokenize(const llama_vocab * vocab) {
    for (std::string text; std::getline(std::cin, text);) {
        std::vector<llama_token> ids(text.size() + 8);
        const int n = llama_tokenize(vocab, text.data(), int(text.size()), ids.data(), int(ids.size()), true, true);
        for (int i = 0; i < n; ++i) {
            std::printf("%d ", ids[i]);
        }
        std::printf("\n");
    }
}

void quiet(ggml_log_level level, const char * text, void *) {
    if (level == GGML_LOG_LEVEL_ERROR) {
        std::fputs(text, stderr);
    }
}

} // namespace

int main(int argc, char ** argv) {
    const Options o = parse(argc, argv);
    llama_log_set(quiet, nullptr);
    llama_backend_init();

    llama_model_params params = llama_model_default_params();
    params.n_gpu_layers       = 0;
    params.use_extra_bufts    = false;
    llama_model * model = llama_model_load_from_file(o.model.c_str(), params);
    if (!model) {
        fail("the model does not load");
    }
    const llama_vocab * vocab = llama_model_get_vocab(model);
    if (o.tokenize) {
        tokenize(vocab);
        return 0;
    }

    llama_context * ctx    = make_context(model, o, LLAMA_POOLING_TYPE_UNSPECIFIED);
    llama_context * tokens = o.embeddings ? make_context(model, o, LLAMA_POOLING_TYPE_NONE) : nullptr;
    std::vector<llama_adapter_lora *> adapters;
    std::vector<float> scales;
    for (const auto & [path, scale] : o.loras) {
        adapters.push_back(llama_adapter_lora_init(model, path.c_str()));
        scales.push_back(scale);
        if (!adapters.back()) {
            fail("the adapter does not load");
        }
    }
    if (!adapters.empty() && llama_set_adapters_lora(ctx, adapters.data(), adapters.size(), scales.data()) != 0) {
        fail("the adapter cannot be applied");
    }

    FILE * out = std::fopen(o.out.c_str(), "wb");
    if (!out) {
        fail("cannot write " + o.out);
    }
    for (Prompt p; read_prompt(p);) {
        if (o.embeddings) {
            embeddings(ctx, tokens, p, llama_model_n_embd_out(model), out);
        } else {
            logits(ctx, p, llama_vocab_n_tokens(vocab), out);
        }
    }
    std::fclose(out);
    return 0;
}
