"""Writes llama.cpp's own cases of chat output as JSON lines, for llama_cases.rs.

    python3 llama_cases.py SOURCE BUILD CASES

SOURCE is llama.cpp's source, BUILD a CMake build of it with static libraries in which `llama-server` was built. The
program of tests/test-chat.cpp is compiled with one change: a case is printed instead of run.
"""

import pathlib
import subprocess
import sys

RUN = "        test_peg_parser(tester_.tmpls_.get(), [this](peg_test_case & t) { t = tc_; }, tester_.detailed_debug_);"
PRINT = """
        auto & given = tc_.params;
        if (given.messages.empty()) { given.messages = { message_user }; }
        json tools = json::array();
        for (const auto & tool : given.tools) {
            tools.push_back(json{ { "name", tool.name }, { "description", tool.description }, { "parameters", tool.parameters } });
        }
        json calls = json::array();
        for (const auto & call : tc_.expect.tool_calls) {
            calls.push_back(json{ { "name", call.name }, { "arguments", call.arguments }, { "id", call.id } });
        }
        json expect{ { "content", tc_.expect.content }, { "reasoning", tc_.expect.reasoning_content }, { "calls", calls } };
        json line{ { "template", tester_.template_path_ }, { "input", tc_.input }, { "partial", tc_.is_partial },
                   { "tools", tools }, { "reasoning", (int) given.reasoning_format }, { "schema", given.json_schema },
                   { "enable_thinking", given.enable_thinking }, { "cont", (int) given.continue_final_message },
                   { "messages", common_chat_msgs_to_json_oaicompat(given.messages) }, { "expect", expect } };
        printf("CASE %s\\n", line.dump().c_str());
"""
LIBRARIES = [
    "tools/server/libserver-context.a",
    "common/libllama-common.a",
    "common/libllama-common-base.a",
    "tools/mtmd/libmtmd.a",
    "src/libllama.a",
    "ggml/src/libggml.a",
    "ggml/src/libggml-cpu.a",
    "ggml/src/libggml-base.a",
    "vendor/hash/libvendor-hash.a",
    "vendor/cpp-httplib/libcpp-httplib.a",
]
INCLUDES = ["common", "include", "src", "ggml/include", "vendor", "tools/mtmd", "tools/server", "tests"]


def main() -> None:
    source, build, cases = (pathlib.Path(given).resolve() for given in sys.argv[1:4])
    text = (source / "tests/test-chat.cpp").read_text()
    assert text.count(RUN) == 1, "test-chat.cpp has changed: where a case is run"
    text = text.replace(RUN, PRINT)
    # Only the function of these cases is called.
    first = text.rindex("        test_msg_diffs_compute();")
    text = text[:first] + text[text.rindex("        test_template_output_peg_parsers(detailed_debug);") :]
    program, patched = cases.with_suffix(".bin"), source / "tests/pith-cases.cpp"
    patched.write_text(text)
    includes = [f"-I{source / name}" for name in INCLUDES]
    libraries = [str(build / name) for name in LIBRARIES]
    compiler = ["c++", "-std=c++17", "-O0", "-w", *includes, str(patched), "-o", str(program)]
    subprocess.run([*compiler, *libraries, "-lpthread", "-ldl"], check=True)
    output = subprocess.run([str(program)], check=True, cwd=source, capture_output=True, text=True).stdout
    lines = [line.removeprefix("CASE ") for line in output.splitlines() if line.startswith("CASE ")]
    cases.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} cases")


main()
