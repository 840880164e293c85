import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("This phone's addresses and its peers' identities")
struct AddressBookTests {
    private static func book(
        _ configuration: AddressBook.Configuration = AddressBook.Configuration(),
        identity: DeviceIdentity = .numbered(1)
    ) -> AddressBook {
        AddressBook(identity: identity, configuration: configuration, random: seededBytes(3))
    }

    /// The one command among outputs.
    private static func command(_ outputs: [AddressBook.Output]) throws -> (HCICommand, CommandPurpose) {
        let commands = outputs.compactMap { output -> (HCICommand, CommandPurpose)? in
            if case .command(let command, let purpose) = output { (command, purpose) } else { nil }
        }
        try #require(commands.count == 1)
        return commands[0]
    }

    @Test("The sample address of the specification belongs to the sample key")
    func knownAnswer() throws {
        // Core Specification 6.0, Vol 3, Part H, Appendix D.7.
        let bytes = Hex.bytes("ec0234a357c8ad05341010a60a397d9b".utf8)
        let key = try #require(bytes.flatMap { Value128($0) })
        let identity = DeviceIdentity(resolvingKey: key, address: .numbered(9))
        let address = PeerAddress(try #require(DeviceAddress("70:81:94:0D:FB:AA")), isRandom: true)
        var book = AddressBookTests.book()
        book.add(identity)
        #expect(book.resolve(address) == identity.address)
        let other = PeerAddress(try #require(DeviceAddress("70:81:94:0D:FB:AB")), isRandom: true)
        #expect(book.resolve(other) == other)
        // A public address with the same bytes is no private one.
        let public_ = PeerAddress(address.address, isRandom: false)
        #expect(book.resolve(public_) == public_)
    }

    @Test("A private phone has a new resolvable address at each power-on, once the controller is quiet")
    func powerOn() throws {
        var book = AddressBookTests.book()
        #expect(book.powerOn(at: .zero).isEmpty)
        #expect(book.wantsQuiet)
        #expect(book.current == nil)
        #expect(book.setQuiet(false, at: .zero).isEmpty)
        let (command, purpose) = try AddressBookTests.command(book.setQuiet(true, at: .zero))
        #expect(command.opcode == .leSetRandomAddress)
        // One command, however often the owner says that all is quiet.
        #expect(book.setQuiet(true, at: .zero).isEmpty)
        #expect(book.wantsQuiet)
        let outputs = book.completed(purpose, .success, at: .zero)
        let current = try #require(book.current)
        #expect(outputs == [.changed(current)])
        #expect(!book.wantsQuiet)
        #expect(command == .leSetRandomAddress(current.address))
        #expect(ResolvablePrivateAddress(current)?.isMade(with: book.identity.resolvingKey) == true)
        book.powerOff()
        #expect(book.current == nil)
        _ = book.powerOn(at: .seconds(1))
        let (again, _) = try AddressBookTests.command(book.setQuiet(true, at: .seconds(1)))
        #expect(again != command)
    }

    @Test("The address changes after 15 minutes, and not before")
    func rotation() throws {
        var book = AddressBookTests.book()
        _ = book.powerOn(at: .seconds(5))
        let (_, purpose) = try AddressBookTests.command(book.setQuiet(true, at: .seconds(5)))
        _ = book.completed(purpose, .success, at: .seconds(5))
        let first = book.current
        #expect(book.deadline == .seconds(905))
        #expect(book.advance(to: .seconds(904)).isEmpty)
        #expect(!book.wantsQuiet)
        _ = book.setQuiet(false, at: .seconds(904))
        #expect(book.advance(to: .seconds(905)).isEmpty)
        #expect(book.wantsQuiet)
        // Nothing is due while the owner makes it quiet.
        #expect(book.deadline == nil)
        #expect(book.current == first)
        let (_, second) = try AddressBookTests.command(book.setQuiet(true, at: .seconds(906)))
        _ = book.completed(second, .success, at: .seconds(906))
        #expect(book.current != first)
        #expect(book.deadline == .seconds(1806))
    }

    @Test("A public address needs no command, and a static one needs one and stays")
    func withoutPrivacy() throws {
        var configuration = AddressBook.Configuration()
        configuration.isPrivate = false
        let visible = DeviceIdentity(resolvingKey: .zero, address: .numbered(4, isRandom: false))
        var book = AddressBookTests.book(configuration, identity: visible)
        #expect(book.powerOn(at: .zero) == [.changed(visible.address)])
        #expect(book.deadline == nil)
        #expect(book.change(at: .zero).isEmpty)
        #expect(!book.wantsQuiet)

        var fixed = AddressBookTests.book(configuration, identity: .numbered(5))
        _ = fixed.powerOn(at: .zero)
        let (command, purpose) = try AddressBookTests.command(fixed.setQuiet(true, at: .zero))
        #expect(command == .leSetRandomAddress(DeviceAddress.numbered(5)))
        _ = fixed.completed(purpose, .success, at: .zero)
        #expect(fixed.current == .numbered(5))
        #expect(fixed.deadline == nil)
    }

    @Test("A refused address is told and tried again, with longer pauses; the old one stays in the air")
    func refusal() throws {
        var book = AddressBookTests.book()
        _ = book.powerOn(at: .zero)
        let (_, first) = try AddressBookTests.command(book.setQuiet(true, at: .zero))
        _ = book.completed(first, .success, at: .zero)
        let old = book.current
        var now = Duration.seconds(900)
        for pause in [1, 2, 4, 8, 16, 32, 32] {
            let (_, purpose) = try AddressBookTests.command(book.advance(to: now))
            #expect(
                book.completed(purpose, .commandDisallowed, at: now)
                    == [.refused("the controller refused LE Set Random Address: the command is not allowed now (0x0C)")]
            )
            #expect(!book.wantsQuiet)
            #expect(book.current == old)
            #expect(book.deadline == now + .seconds(pause))
            now += .seconds(pause)
        }
        let (_, purpose) = try AddressBookTests.command(book.advance(to: now))
        _ = book.completed(purpose, .success, at: now)
        #expect(book.current != old)
        #expect(book.deadline == now + .seconds(900))
    }

    @Test("The result of a command from before a power-off counts no more")
    func staleResult() throws {
        var book = AddressBookTests.book()
        _ = book.powerOn(at: .zero)
        let (_, old) = try AddressBookTests.command(book.setQuiet(true, at: .zero))
        _ = book.powerOn(at: .zero)
        #expect(book.completed(old, .success, at: .zero).isEmpty)
        #expect(book.current == nil)
        let (_, new) = try AddressBookTests.command(book.setQuiet(true, at: .zero))
        #expect(new != old)
        book.powerOff()
        #expect(book.completed(new, .success, at: .zero).isEmpty)
        #expect(book.current == nil)
        #expect(book.change(at: .zero).isEmpty)
    }

    @Test("A rotation of nothing is one second: no loop without end")
    func shortestRotation() throws {
        var configuration = AddressBook.Configuration()
        configuration.rotation = .zero
        var book = AddressBookTests.book(configuration)
        _ = book.powerOn(at: .zero)
        let (_, purpose) = try AddressBookTests.command(book.setQuiet(true, at: .zero))
        _ = book.completed(purpose, .success, at: .zero)
        #expect(book.deadline == .seconds(1))
    }

    @Test("Each of 50 bonded peers is found behind several private addresses, and strangers are not")
    func fiftyPeers() {
        var book = AddressBookTests.book()
        let peers = (0..<50).map { DeviceIdentity.numbered(UInt8($0)) }
        for peer in peers { book.add(peer) }
        for (place, peer) in peers.enumerated() {
            for seed in 0..<3 {
                let address = peer.address(UInt64(place * 3 + seed))
                #expect(book.resolve(address) == peer.address)
                #expect(book.currentAddress(of: peer.address) == address)
            }
        }
        let stranger = DeviceIdentity.numbered(200).address(1)
        #expect(book.resolve(stranger) == stranger)
        #expect(book.currentAddress(of: stranger) == stranger)
    }

    @Test("A peer that shows its identity address is at that address again")
    func identityAddress() {
        var book = AddressBookTests.book()
        let peer = DeviceIdentity.numbered(7)
        book.add(peer)
        _ = book.resolve(peer.address(1))
        #expect(book.currentAddress(of: peer.address) != peer.address)
        #expect(book.resolve(peer.address) == peer.address)
        #expect(book.currentAddress(of: peer.address) == peer.address)
    }

    @Test("A new bond finds addresses that were strangers', and a deleted one finds none")
    func bondsComeAndGo() {
        var book = AddressBookTests.book()
        let peer = DeviceIdentity.numbered(7)
        let address = peer.address(1)
        #expect(book.resolve(address) == address)
        book.add(peer)
        #expect(book.resolve(address) == peer.address)
        let renewed = DeviceIdentity(resolvingKey: Value128(high: 9, low: 9), address: peer.address)
        book.add(renewed)
        #expect(book.identities == [peer.address])
        #expect(book.resolve(address) == address)
        #expect(book.resolve(renewed.address(2)) == peer.address)
        book.forget(peer.address)
        #expect(book.identities.isEmpty)
        #expect(book.resolve(renewed.address(2)) == renewed.address(2))
        #expect(book.currentAddress(of: peer.address) == peer.address)
    }

    @Test("A peer without a resolving key is known by its identity address only")
    func noKey() {
        var book = AddressBookTests.book()
        let peer = DeviceIdentity(resolvingKey: .zero, address: .numbered(8))
        book.add(peer)
        let address = peer.address(1)
        #expect(book.resolve(address) == address)
    }

    @Test("A flood of private addresses does not fill the memory, and the peer is still found")
    func flood() {
        var configuration = AddressBook.Configuration()
        configuration.mostRecent = 32
        var book = AddressBookTests.book(configuration)
        let peer = DeviceIdentity.numbered(7)
        book.add(peer)
        let key = Value128(high: 5, low: 5)
        let random = seededBytes(11)
        for _ in 0..<1000 { _ = book.resolve(ResolvablePrivateAddress.make(key: key, random: random)) }
        #expect(book.recentCount == 32)
        #expect(book.resolve(peer.address(4)) == peer.address)
    }
}
