/// Names for addresses in a program or library. Pure.
///
/// A symbol, where there is one. Debian strips its programs, and their debugging information is in an archive of its own. A
/// program that writes debug messages still has the names of the functions that write them: bluetoothd's `DBG()` gives
/// `__FILE__` and `__func__` to a format that begins with `%s:%s() ` (BlueZ, `src/log.h`). So the code of a function that
/// takes these texts names the function, or one that the compiler has put into it.
struct FunctionNames: Sendable {
    private let file: ProgramFile
    /// The most names of one function. Code that many others were put into has no name.
    private static let mostNames = 3
    /// How far apart, in bytes, the texts of one message are taken.
    private static let reach = 40

    init(_ file: ProgramFile) { self.file = file }

    /// The name of the function at an address: `g_main_loop_run+0x52`, or `att_disconnected, src/device.c`; nil for none.
    ///
    /// - Parameter address: From the start of the file in memory.
    func name(at address: UInt64) -> String? {
        if let symbol = file.symbol(at: address) {
            return symbol.name + (symbol.offset > 0 ? "+0x" + String(symbol.offset, radix: 16) : "")
        }
        guard let function = file.function(at: address) else { return nil }
        let messages = messages(in: function)
        var names: [String] = []
        for message in messages where !names.contains(message.function) { names.append(message.function) }
        guard !names.isEmpty, names.count <= FunctionNames.mostNames else { return nil }
        let sources = Set(messages.compactMap(\.source))
        return names.joined(separator: " or ") + (sources.count == 1 ? ", \(sources.first ?? "")" : "")
    }

    /// A debug message that a function writes.
    private struct Message {
        let function: String
        let source: String?
    }

    /// A text whose address the code takes into a register.
    private struct TakenText {
        enum Register { case second, third, fourth }
        let place: Int
        let register: Register
        let address: UInt64
    }

    private func messages(in function: Range<UInt64>) -> [Message] {
        guard let texts = file.section(".rodata"), let code = file.bytes(at: function.lowerBound) else { return [] }
        let taken = FunctionNames.takenTexts(in: code.prefix(function.count), at: function.lowerBound)
        return taken.compactMap { format in
            guard format.register == .second, file.text(at: format.address, in: texts)?.hasPrefix("%s:%s() ") == true
            else { return nil }
            func nearest(_ register: TakenText.Register, _ isRight: (String) -> Bool) -> String? {
                taken.filter { $0.register == register && abs($0.place - format.place) <= FunctionNames.reach }
                    .sorted { abs($0.place - format.place) < abs($1.place - format.place) }
                    .lazy.compactMap { file.text(at: $0.address, in: texts, isWhole: true) }.first(where: isRight)
            }
            guard let name = nearest(.fourth, FunctionNames.isIdentifier) else { return nil }
            return Message(function: name, source: nearest(.third) { $0.hasSuffix(".c") })
        }
    }

    /// Finds `lea` of an address near the code into `rsi`, `rdx` or `rcx`, the registers of a call's second, third and
    /// fourth argument: 48 8D, then 35, 15 or 0D, then four bytes of distance from the next instruction (Intel's manual,
    /// volume 2, LEA; AMD64 supplement, 3.2.3).
    private static func takenTexts(in code: ArraySlice<UInt8>, at address: UInt64) -> [TakenText] {
        var found: [TakenText] = []
        var index = code.startIndex
        while index + 7 <= code.endIndex {
            defer { index += 1 }
            guard code[index] == 0x48, code[index + 1] == 0x8D else { continue }
            let register: TakenText.Register
            switch code[index + 2] {
            case 0x35: register = .second
            case 0x15: register = .third
            case 0x0D: register = .fourth
            default: continue
            }
            let distance = Array(code[(index + 3)..<(index + 7)]).number(0, 4) ?? 0
            let place = index - code.startIndex
            found.append(
                TakenText(
                    place: place, register: register, address: (address &+ UInt64(place) &+ 7).moved(distance)))
        }
        return found
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
        return !(0x30...0x39).contains(first)
            && text.utf8.allSatisfy {
                $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }
}
