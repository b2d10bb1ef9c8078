// One visitor made of several functions, for std::visit. Pure.
#pragma once

namespace handreset::rules {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

} // namespace handreset::rules
