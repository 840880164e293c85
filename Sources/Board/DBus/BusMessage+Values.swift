import HILCDBus
import HILPOSIX

/// The type codes of the D-Bus Specification. libdbus defines them as macros, which Swift cannot see.
private enum TypeCode {
    static let invalid: Int32 = 0
    static let byte = code("y")
    static let boolean = code("b")
    static let int16 = code("n")
    static let uint16 = code("q")
    static let int32 = code("i")
    static let uint32 = code("u")
    static let int64 = code("x")
    static let uint64 = code("t")
    static let double = code("d")
    static let string = code("s")
    static let path = code("o")
    static let signature = code("g")
    static let descriptor = code("h")
    static let array = code("a")
    static let variant = code("v")
    static let structure = code("r")
    static let dictionaryEntry = code("e")

    private static func code(_ character: UnicodeScalar) -> Int32 { Int32(character.value) }
}

/// The deepest nesting that the D-Bus Specification allows: 32 arrays and 32 structures.
private let deepest = 64
/// The longest array that the D-Bus Specification allows, in bytes.
private let longestArray = 1 << 26

// MARK: - Writing values

extension BusMessage {
    /// Appends arguments. Checks them first, because libdbus would abort the program for an invalid value.
    func append(_ values: [BusValue], action: String) throws(BusError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(raw, &iterator)
        for value in values {
            try BusMessage.validate(value, depth: 0, action)
            try BusMessage.append(value, to: &iterator, action)
        }
    }

    private static func validate(_ value: BusValue, depth: Int, _ action: String) throws(BusError) {
        guard depth < deepest / 2 else { throw .invalid("a value is nested too deeply", action) }
        switch value {
        case .string(let text):
            // Text in Swift is always valid UTF-8.
            guard !text.utf8.contains(0) else { throw .invalid("a text contains a zero byte", action) }
        case .path(let path):
            guard !path.utf8.contains(0), dbus_validate_path(path, nil) != 0 else {
                throw .invalid("\(path) is not a valid object path", action)
            }
        case .signature(let signature): try validate(signature: signature, isSingle: false, action)
        case .bytes(let bytes):
            guard bytes.count <= longestArray else { throw .invalid("\(bytes.count) bytes are too many", action) }
        case .array(let element, let elements):
            try validate(signature: element, isSingle: true, action)
            for item in elements { try validate(item, is: element, depth: depth, action) }
        case .dictionary(let key, let value, let entries):
            try validate(signature: "a{\(key)\(value)}", isSingle: true, action)
            for entry in entries {
                try validate(entry.key, is: key, depth: depth, action)
                try validate(entry.value, is: value, depth: depth, action)
            }
        case .structure(let fields):
            guard !fields.isEmpty else { throw .invalid("a structure has no fields", action) }
            for field in fields { try validate(field, depth: depth + 1, action) }
        case .variant(let inner):
            try validate(inner, depth: depth + 1, action)
            try validate(signature: inner.signature, isSingle: true, action)
        case .descriptor(let descriptor):
            guard descriptor.raw >= 0 else { throw .invalid("a descriptor is closed", action) }
        default: break
        }
    }

    private static func validate(
        _ value: BusValue, is signature: String, depth: Int, _ action: String
    ) throws(BusError) {
        guard value.signature == signature else {
            throw .invalid("a value has type \(value.signature) instead of \(signature)", action)
        }
        try validate(value, depth: depth + 1, action)
    }

    private static func validate(signature: String, isSingle: Bool, _ action: String) throws(BusError) {
        let isValid =
            isSingle ? dbus_signature_validate_single(signature, nil) : dbus_signature_validate(signature, nil)
        guard !signature.utf8.contains(0), isValid != 0 else {
            throw .invalid("“\(signature)” is not a signature", action)
        }
    }

    private static func append(
        _ value: BusValue, to iterator: inout DBusMessageIter, _ action: String
    ) throws(BusError) {
        let isDone: Bool
        switch value {
        case .boolean(let value): isDone = basic(&iterator, TypeCode.boolean, dbus_bool_t(value ? 1 : 0))
        case .byte(let value): isDone = basic(&iterator, TypeCode.byte, value)
        case .int16(let value): isDone = basic(&iterator, TypeCode.int16, value)
        case .uint16(let value): isDone = basic(&iterator, TypeCode.uint16, value)
        case .int32(let value): isDone = basic(&iterator, TypeCode.int32, value)
        case .uint32(let value): isDone = basic(&iterator, TypeCode.uint32, value)
        case .int64(let value): isDone = basic(&iterator, TypeCode.int64, value)
        case .uint64(let value): isDone = basic(&iterator, TypeCode.uint64, value)
        case .double(let value): isDone = basic(&iterator, TypeCode.double, value)
        case .descriptor(let value): isDone = basic(&iterator, TypeCode.descriptor, value.raw)
        case .string(let text): isDone = self.text(&iterator, TypeCode.string, text)
        case .path(let text): isDone = self.text(&iterator, TypeCode.path, text)
        case .signature(let text): isDone = self.text(&iterator, TypeCode.signature, text)
        case .bytes(let bytes):
            isDone = try container(&iterator, TypeCode.array, "y", action) { inner throws(BusError) in
                guard self.bytes(&inner, bytes) else { throw outOfMemory(action) }
            }
        case .array(let element, let elements):
            isDone = try container(&iterator, TypeCode.array, element, action) { inner throws(BusError) in
                for item in elements { try append(item, to: &inner, action) }
            }
        case .dictionary(let key, let value, let entries):
            isDone = try container(&iterator, TypeCode.array, "{\(key)\(value)}", action) { inner throws(BusError) in
                for entry in entries {
                    let isDone = try container(&inner, TypeCode.dictionaryEntry, nil, action) { pair throws(BusError) in
                        try append(entry.key, to: &pair, action)
                        try append(entry.value, to: &pair, action)
                    }
                    guard isDone else { throw outOfMemory(action) }
                }
            }
        case .structure(let fields):
            isDone = try container(&iterator, TypeCode.structure, nil, action) { inner throws(BusError) in
                for field in fields { try append(field, to: &inner, action) }
            }
        case .variant(let value):
            isDone = try container(&iterator, TypeCode.variant, value.signature, action) { inner throws(BusError) in
                try append(value, to: &inner, action)
            }
        }
        guard isDone else { throw outOfMemory(action) }
    }

    private static func outOfMemory(_ action: String) -> BusError {
        BusError(name: BusError.Name.noMemory, message: "", action: action)
    }

    private static func basic<Value>(_ iterator: inout DBusMessageIter, _ type: Int32, _ value: Value) -> Bool {
        withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, type, $0) != 0 }
    }

    private static func text(_ iterator: inout DBusMessageIter, _ type: Int32, _ text: String) -> Bool {
        text.withCString { pointer in
            withUnsafePointer(to: pointer) { dbus_message_iter_append_basic(&iterator, type, $0) != 0 }
        }
    }

    private static func bytes(_ iterator: inout DBusMessageIter, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return true }
            return withUnsafePointer(to: base) {
                dbus_message_iter_append_fixed_array(&iterator, TypeCode.byte, $0, Int32(buffer.count)) != 0
            }
        }
    }

    private static func container(
        _ iterator: inout DBusMessageIter, _ type: Int32, _ signature: String?, _ action: String,
        _ body: (inout DBusMessageIter) throws(BusError) -> Void
    ) throws(BusError) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, type, signature, &inner) != 0 else { return false }
        do throws(BusError) { try body(&inner) } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        return dbus_message_iter_close_container(&iterator, &inner) != 0
    }
}

// MARK: - Reading values

extension BusMessage {
    /// The arguments of the message. libdbus has checked lengths, nesting, UTF-8 and paths.
    var arguments: [BusValue] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(raw, &iterator) != 0 else { return [] }
        return BusMessage.values(&iterator)
    }

    private static func values(_ iterator: inout DBusMessageIter) -> [BusValue] {
        var values: [BusValue] = []
        while dbus_message_iter_get_arg_type(&iterator) != TypeCode.invalid {
            values.append(value(&iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private static func value(_ iterator: inout DBusMessageIter) -> BusValue {
        switch dbus_message_iter_get_arg_type(&iterator) {
        case TypeCode.boolean: .boolean(read(&iterator, dbus_bool_t(0)) != 0)
        case TypeCode.byte: .byte(read(&iterator, 0))
        case TypeCode.int16: .int16(read(&iterator, 0))
        case TypeCode.uint16: .uint16(read(&iterator, 0))
        case TypeCode.int32: .int32(read(&iterator, 0))
        case TypeCode.uint32: .uint32(read(&iterator, 0))
        case TypeCode.int64: .int64(read(&iterator, 0))
        case TypeCode.uint64: .uint64(read(&iterator, 0))
        case TypeCode.double: .double(read(&iterator, 0))
        case TypeCode.descriptor: .descriptor(Descriptor(adopting: read(&iterator, -1)))
        case TypeCode.string: .string(readText(&iterator))
        case TypeCode.path: .path(readText(&iterator))
        case TypeCode.signature: .signature(readText(&iterator))
        case TypeCode.array: array(&iterator)
        case TypeCode.structure: .structure(inside(&iterator, values))
        default: .variant(inside(&iterator, value))
        }
    }

    private static func array(_ iterator: inout DBusMessageIter) -> BusValue {
        switch dbus_message_iter_get_element_type(&iterator) {
        case TypeCode.byte: .bytes(inside(&iterator, fixedBytes))
        case TypeCode.dictionaryEntry: dictionary(&iterator)
        default: inside(&iterator) { .array(of: signature(&$0), values(&$0)) }
        }
    }

    private static func dictionary(_ iterator: inout DBusMessageIter) -> BusValue {
        // "a{kv}": the key is a basic type, so it has one letter.
        let pair = signature(&iterator).dropFirst(2).dropLast()
        let entries = inside(&iterator) { inner in
            var entries: [BusValue.Entry] = []
            while dbus_message_iter_get_arg_type(&inner) == TypeCode.dictionaryEntry {
                let pair = inside(&inner, values)
                if pair.count == 2 { entries.append(.init(pair[0], pair[1])) }
                dbus_message_iter_next(&inner)
            }
            return entries
        }
        return .dictionary(key: String(pair.prefix(1)), value: String(pair.dropFirst()), entries)
    }

    private static func inside<Result>(
        _ iterator: inout DBusMessageIter, _ body: (inout DBusMessageIter) -> Result
    ) -> Result {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return body(&inner)
    }

    private static func signature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    private static func fixedBytes(_ iterator: inout DBusMessageIter) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        withUnsafeMutablePointer(to: &start) { dbus_message_iter_get_fixed_array(&iterator, $0, &count) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func read<Value>(_ iterator: inout DBusMessageIter, _ initial: Value) -> Value {
        var value = initial
        withUnsafeMutablePointer(to: &value) { dbus_message_iter_get_basic(&iterator, $0) }
        return value
    }

    private static func readText(_ iterator: inout DBusMessageIter) -> String {
        var text: UnsafePointer<CChar>?
        withUnsafeMutablePointer(to: &text) { dbus_message_iter_get_basic(&iterator, $0) }
        return text.map { String(cString: $0) } ?? ""
    }
}
