// Characters that a reader cannot see or tell from others: what names from outside are made visible by, wherever they
// are shown. Pure; any thread.
#pragma once

namespace handreset::rules {

/// True for what has no ink of its own, turns the direction, breaks a line, or looks like a plain space: C1 controls
/// (not C0 and DEL, which have symbols), format characters, fillers, separators, variation selectors, tags, private use
/// and every space but U+0020.
[[nodiscard]] bool isHiddenCharacter(char32_t point) noexcept;
/// True for a mark that is drawn on the character before it.
[[nodiscard]] bool isCombiningMark(char32_t point) noexcept;
/// Marks on one character that are shown as such; more run over the lines around and hide each other.
inline constexpr int kMostMarks = 4;

} // namespace handreset::rules
