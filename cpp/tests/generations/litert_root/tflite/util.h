#pragma once
namespace tflite {
constexpr int kDefaultTensorAlignment = 64;
}
