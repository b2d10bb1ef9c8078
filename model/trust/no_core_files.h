// A program that holds keys or passphrases leaves no core file when it crashes: they would lie in it. Any thread; once,
// before the first secret. Failure: none is told; the limit of whoever started the program then holds.
#pragma once

namespace handreset::trust {

void leaveNoCoreFiles() noexcept;

} // namespace handreset::trust
