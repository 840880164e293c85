import Foundation
import HILFoundation

/// Calls the delegate of a stream on the run loops that the app has chosen.
final class StreamSchedule: @unchecked Sendable {
    // Unchecked because of the lock, which guards everything that changes.
    private let lock = NSLock()
    private var loops: [(loop: RunLoop, mode: RunLoop.Mode, listener: LoopListener)] = []
    private weak var delegate: (any StreamDelegate)?
    private weak var stream: Stream?

    func setStream(_ stream: Stream) { lock.withLock { self.stream = stream } }

    var currentDelegate: (any StreamDelegate)? {
        get { lock.withLock { delegate } }
        set { lock.withLock { delegate = newValue } }
    }

    func add(_ loop: RunLoop, _ mode: RunLoop.Mode) {
        let listener = LoopListener(on: loop, mode)
        lock.withLock { loops.append((loop, mode, listener)) }
    }

    func remove(_ loop: RunLoop, _ mode: RunLoop.Mode) {
        lock.withLock { loops.removeAll { $0.loop === loop && $0.mode == mode } }
    }

    /// Calls the delegate. The streams of the main run loop are called on the main queue, which a program without a main
    /// run loop, such as one of unit tests, serves as well.
    func tell(_ event: Stream.Event) {
        guard let (loop, mode, _) = lock.withLock({ loops.first }) else { return }
        let call: @Sendable () -> Void = { [weak self] in
            guard let self, let stream = lock.withLock({ self.stream }) else { return }
            currentDelegate?.stream(stream, handle: event)
        }
        if loop === RunLoop.main {
            DispatchQueue.main.async(execute: call)
        } else {
            loop.call(in: mode, call)
        }
    }
}

/// The bytes from the other end of an L2CAP channel.
final class ChannelInputStream: InputStream {
    private let pipe: ChannelPipe
    private let schedule = StreamSchedule()
    private var status = Stream.Status.notOpen

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        super.init(data: Data())
        schedule.setStream(self)
    }

    override var delegate: (any StreamDelegate)? {
        get { schedule.currentDelegate }
        set { schedule.currentDelegate = newValue }
    }

    override func open() {
        guard status == .notOpen else { return }
        status = .open
        pipe.onInput { [schedule] in schedule.tell($0) }
        schedule.tell(.openCompleted)
        // Bytes that came before.
        if pipe.hasBytes { schedule.tell(.hasBytesAvailable) }
        if pipe.hasEnded { schedule.tell(.endEncountered) }
    }

    override func close() {
        status = .closed
        pipe.onInput(nil)
    }

    override var streamStatus: Stream.Status {
        status == .open && pipe.hasEnded && !pipe.hasBytes ? (pipe.error == nil ? .atEnd : .error) : status
    }
    override var streamError: (any Error)? { pipe.error }
    override var hasBytesAvailable: Bool { status == .open && pipe.hasBytes }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open else { return -1 }
        let bytes = pipe.read(upTo: len)
        bytes.copyBytes(to: buffer, count: bytes.count)
        if pipe.hasBytes { schedule.tell(.hasBytesAvailable) }
        return bytes.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { schedule.add(aRunLoop, mode) }
    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { schedule.remove(aRunLoop, mode) }
}

/// The bytes to the other end of an L2CAP channel.
final class ChannelOutputStream: OutputStream {
    private let pipe: ChannelPipe
    private let schedule = StreamSchedule()
    private var status = Stream.Status.notOpen

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        super.init(toMemory: ())
        schedule.setStream(self)
    }

    required init(toMemory: ()) { preconditionFailure("a channel's stream has a channel") }

    override var delegate: (any StreamDelegate)? {
        get { schedule.currentDelegate }
        set { schedule.currentDelegate = newValue }
    }

    override func open() {
        guard status == .notOpen else { return }
        status = .open
        pipe.onOutput { [schedule] in schedule.tell($0) }
        schedule.tell(.openCompleted)
        if pipe.hasRoom { schedule.tell(.hasSpaceAvailable) }
    }

    override func close() {
        status = .closed
        pipe.onOutput(nil)
    }

    override var streamStatus: Stream.Status {
        status == .open && pipe.hasEnded ? (pipe.error == nil ? .atEnd : .error) : status
    }
    override var streamError: (any Error)? { pipe.error }
    override var hasSpaceAvailable: Bool { status == .open && pipe.hasRoom }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open else { return -1 }
        return pipe.write(Data(bytes: buffer, count: len))
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { schedule.add(aRunLoop, mode) }
    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { schedule.remove(aRunLoop, mode) }
}
