#pragma once

#include <string>

namespace tritonrl::eval {

// SVG as a file of its own, with the namespace, the style and the background that a page has already.
std::string svg_file(double width, double height, const std::string& content);

}  // namespace tritonrl::eval
