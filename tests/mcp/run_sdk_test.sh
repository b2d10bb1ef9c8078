#!/bin/sh
# Installs the official SDK and two servers into a folder of the build, and runs sdk_test.cjs with them.
#     run_sdk_test.sh HANDRESETCTL FOLDER
# Exits with 77, which ctest takes for skipped, where there is no node (18 or later), no npm, or no way to the registry.
here=$(dirname "$0")
program=$1
folder=$2
sdk=@modelcontextprotocol/sdk@1.32.2
everything=@modelcontextprotocol/server-everything@2026.8.31
filesystem=@modelcontextprotocol/server-filesystem@2026.8.31

skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null && command -v npm >/dev/null || skip "there is no node or no npm"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || skip "node is older than 18"
mkdir -p "$folder" || exit 1
if [ ! -e "$folder/installed" ]; then
    timeout 120 npm install --prefix "$folder" --no-audit --no-fund --no-save --ignore-scripts \
        "$sdk" "$everything" "$filesystem" >"$folder/npm.log" 2>&1 || skip "npm could not install; see $folder/npm.log"
    touch "$folder/installed"
fi
exec node "$here/sdk_test.cjs" "$program" "$folder"
