import BoardAgent
import BoardKeeper
import DieProgram
import Glibc
import HILPOSIX
import PeripheralProgram
import VirtualRadio

/// Prints a message to standard error and ends the program.
func fail(_ message: String, code: Int32) -> Never {
    try? Descriptor(adopting: 2).write("hil-board: \(message)\n".utf8)
    exit(code)
}

let usage = """
    usage: \(AgentOptions.usage)
           hil-board radio [BLUETOOTH-PORT WIFI-PORT]
           hil-board internet ADDRESS
           hil-board keep [ADDRESS]
           hil-board give-back
    """
let arguments = CommandLine.arguments.dropFirst()

switch arguments.first {
case "agent":
    do {
        let options = try AgentOptions(
            Array(arguments.dropFirst()), kernelCommandLine: AgentOptions.kernelCommandLine())
        // On a board with real radios, the channels in use are not known: it listens on all channels.
        try runAgent(options, accessories: [DieProgram.self, PeripheralProgram.self]) { ChannelsInUse().read() }
    } catch let mistake as AgentOptions.Mistake {
        fail("\(mistake)\n\(usage)", code: 64)
    } catch {
        fail("\(error)", code: 1)
    }
case "crash":
    do { try CrashHandler.run(Array(arguments.dropFirst())) } catch { fail("\(error)", code: 1) }
case "radio":
    let ports = Array(arguments.dropFirst())
    guard ports.isEmpty || ports.count == 2 else { fail("radio needs two ports or none\n\(usage)", code: 64) }
    do {
        try runVirtualRadio(
            bluetoothPort: ports.first ?? "/dev/vport0p2", wifiPort: ports.last ?? "/dev/vport0p3")
    } catch {
        fail("\(error)", code: 1)
    }
case "internet":
    guard arguments.count == 2, let address = arguments.last else {
        fail("internet needs the address to listen on\n\(usage)", code: 64)
    }
    do { try runInternet(on: address, services: DieProgram.internetServices) } catch { fail("\(error)", code: 1) }
case "keep":
    // sshd's SSH_CONNECTION has four words; the third is the board's address of the login.
    let isUnit = arguments.dropFirst().first == "--unit"
    let words = arguments.dropFirst(isUnit ? 2 : 1).flatMap { $0.split(separator: " ") }
    let address = words.count > 2 ? String(words[2]) : words.first.map(String.init)
    do { try runKeeper(program: "/opt/hil/hil-board", loginAddress: address, isUnit: isUnit) } catch {
        fail("\(error)", code: 1)
    }
case "give-back":
    let problems = await giveLeftBoardBack()
    if !problems.isEmpty { fail("not given back: " + problems.joined(separator: "; "), code: 1) }
case BindSupervisor.subcommand:
    do { try BindSupervisor.become(Array(arguments.dropFirst())) } catch { fail("\(error)", code: 126) }
case ProcessGuard.subcommand: ProcessGuard.run(Array(arguments.dropFirst()))
case "--help", "-h": print(usage)
default: fail("name the program to run\n\(usage)", code: 64)
}
