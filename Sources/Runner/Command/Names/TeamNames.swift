import Foundation
import Glibc
import HILPOSIX
import HILSwiftSource

/// What a team calls its Bluetooth UUIDs: the names of the constants in its Swift sources.
enum TeamNames {
    /// A source of more bytes was made by a program.
    private static let longestSource = 1 << 20

    /// The names by UUID, as they are written in the sources of a package and those that its build reads from elsewhere.
    ///
    /// - Parameter root: The folder of the package.
    static func find(in root: String) -> [String: String] {
        let inside = sources(in: root).sorted()
        // An app's sources may be anywhere. Those of the harness are no team's own.
        let harness = #filePath.range(of: "/Runner/").map { String(#filePath[..<$0.lowerBound]) } ?? ""
        let elsewhere = (BuiltProgram.running.map { $0.root == root ? $0.sourcesElsewhere : [] } ?? [])
            .filter { !$0.hasPrefix(harness) }
        var names: [String: String] = [:]
        for path in inside + elsewhere {
            guard let content = FileManager.default.contents(atPath: path), content.count <= longestSource else {
                continue
            }
            names.merge(UUIDConstants.names(in: Array(content))) { first, _ in first }
        }
        return names
    }

    private static func sources(in root: String) -> [String] {
        guard
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: root), includingPropertiesForKeys: [], options: .skipsHiddenFiles)
        else { return [] }
        var sources: [String] = []
        while let file = files.nextObject() as? URL {
            let path = file.path
            let isOther = file.lastPathComponent == "Tests" || access("\(path)/Package.swift", F_OK) == 0
            if isOther { files.skipDescendants() }
            if path.hasSuffix(".swift") { sources.append(path) }
        }
        return sources
    }

    // MARK: For Wireshark

    /// The name of the script in the folder of a scenario.
    static let scriptName = "uuid-names.lua"

    /// A script of Wireshark that adds the names to what a packet is about, and a field `hil.uuid_name` with each.
    static func script(_ names: [String: String]) -> String {
        let rows = names.sorted { $0.key < $1.key }.map { uuid, name in
            "[\"\(uuid.filter { $0 != "-" })\"] = \"\(name.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })\","
        }
        return """
            -- Made by hil: the names that the team's sources give its UUIDs.
            local names = {
                \(rows.joined(separator: "\n    "))
            }
            local fields = {}
            for _, name in ipairs {
                "btatt.uuid16", "btatt.uuid128", "btatt.characteristic_uuid16", "btatt.characteristic_uuid128",
                "btatt.service_uuid16", "btatt.service_uuid128", "btcommon.eir_ad.entry.uuid_16",
                "btcommon.eir_ad.entry.uuid_128", "btcommon.eir_ad.entry.custom_uuid_128",
            } do
                -- Versions of Wireshark differ in their fields.
                local exists, field = pcall(Field.new, name)
                if exists then fields[#fields + 1] = field end
            end
            -- In a packet the first byte is the last of the UUID.
            local function reversed(digits)
                return (digits:reverse():gsub("(.)(.)", "%2%1"))
            end
            local function name_of(value)
                if type(value) == "number" then return names[string.format("%04X", value)] end
                local digits = tostring(value):upper()
                return names[digits] or names[reversed(digits)]
            end
            local proto = Proto("hil_uuids", "Names of UUIDs")
            local shown = ProtoField.string("hil.uuid_name", "UUID name")
            proto.fields = { shown }
            function proto.dissector(_, packet, tree)
                local seen, list = {}, {}
                for _, field in ipairs(fields) do
                    for _, info in ipairs { field() } do
                        local name = name_of(info.value)
                        if name and not seen[name] then
                            seen[name] = true
                            list[#list + 1] = name
                            tree:add(shown, name)
                        end
                    end
                end
                if #list > 0 then packet.cols.info:append(" [" .. table.concat(list, ", ") .. "]") end
            end
            register_postdissector(proto)

            """
    }

    /// Writes the script, and gives tshark's options for it; none without names, or where it cannot be written.
    static func tsharkOptions(_ names: [String: String], in folder: String) -> [String] {
        let path = "\(folder)/\(scriptName)"
        guard !names.isEmpty, (try? replaceFile(path, with: script(names).utf8)) != nil else { return [] }
        return ["-X", "lua_script:\(path)"]
    }
}
