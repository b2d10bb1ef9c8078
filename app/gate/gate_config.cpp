#include "app/gate/gate_config.h"

#include "model/rules/utf8.h"

#include <toml++/toml.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace handreset::gate {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

Error wrong(std::string message, const std::string &file, std::uint32_t line)
{
    return {ErrorCode::BadInput, std::move(message), line == 0 ? file : file + ":" + std::to_string(line)};
}

std::string namesInWords()
{
    std::string words;
    for (const auto name : settingNames())
        words += (words.empty() ? "" : name == settingNames().back() ? " and " : ", ") + std::string(name);
    return words;
}

/// A path in the file means the same wherever the gate is started.
std::string fromFolderOf(const std::string &file, const std::string &path)
{
    return QDir(QFileInfo(QString::fromStdString(file)).absolutePath())
        .absoluteFilePath(QString::fromStdString(path))
        .toStdString();
}

std::optional<Error> takeField(GateSettings &settings, const toml::key &key, const toml::node &node,
                               const std::string &file)
{
    const std::string name(key.str());
    const auto line = std::max(key.source().begin.line, 1U);
    const auto &names = settingNames();
    if (std::find(names.begin(), names.end(), name) == names.end())
        return wrong("there is no setting \"" + name + "\"; there are " + namesInWords(), file, line);
    const auto *text = node.as_string();
    const auto *number = node.as_integer();
    if (number != nullptr && name == "agent_rate") {
        const auto fault = takeSetting(settings, name, std::to_string(number->get()));
        return fault ? std::optional(wrong(name + " " + *fault, file, line)) : std::nullopt;
    }
    if (text == nullptr)
        return wrong(name + " is a text: put it in quotes", file, line);
    if (const auto fault = takeSetting(settings, name, text->get()))
        return wrong(name + " " + *fault, file, line);
    return {};
}

} // namespace

Result<GateSettings> readConfig(std::string_view text, const std::string &file)
{
    if (text.size() > kMostConfig)
        return wrong("the file is larger than 16 KiB and was not read", file, 0);
    if (!rules::isUtf8(text))
        return wrong("the file is not UTF-8; save it as UTF-8", file, 0);
    toml::table root;
    try { // toml++ throws, and nothing passes this function
        root = toml::parse(text, std::string_view());
    } catch (const toml::parse_error &error) {
        return wrong("this is no valid TOML: " + std::string(error.description()), file,
                     std::max(error.source().begin.line, 1U));
    }
    std::vector<std::pair<std::uint32_t, Error>> faults; // the table is in the order of names, not of lines
    GateSettings settings;
    for (const auto &[key, node] : root) {
        if (auto fault = takeField(settings, key, node, file))
            faults.emplace_back(key.source().begin.line, std::move(*fault));
    }
    if (!faults.empty())
        return std::min_element(faults.begin(), faults.end(),
                                [](const auto &one, const auto &other) { return one.first < other.first; })
            ->second;
    if (settings.store)
        settings.store = fromFolderOf(file, *settings.store);
    if (settings.socket)
        settings.socket = fromFolderOf(file, *settings.socket);
    return settings;
}

Result<GateSettings> readConfigFile(const std::string &file)
{
    QFile source(QString::fromStdString(file));
    if (!source.open(QIODevice::ReadOnly))
        return wrong("the configuration cannot be read: " + source.errorString().toStdString(), file, 0);
    const QByteArray text = source.read(static_cast<qint64>(kMostConfig) + 1);
    return readConfig({text.constData(), static_cast<std::size_t>(text.size())}, file);
}

} // namespace handreset::gate
