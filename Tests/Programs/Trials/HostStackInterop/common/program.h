/// What the programs over the stacks in C have in common: the command line, lines and bytes. README.md lists all commands.
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The services and characteristics. Each characteristic's number says what it is for.
enum {
    /// The service of an accessory.
    ACCESSORY_SERVICE = 0xFF10,
    /// Readable by everybody: 01 02 03.
    OPEN_VALUE = 0xFF11,
    /// Readable over an encrypted link: “secret”.
    ENCRYPTED_VALUE = 0xFF12,
    /// Readable over a link with an authenticated key: “private”.
    AUTHENTICATED_VALUE = 0xFF13,
    /// Writable by everybody.
    WRITTEN_VALUE = 0xFF14,
    /// Only notified.
    NOTIFIED_VALUE = 0xFF15,
    /// Readable by everybody, and longer than a packet.
    LONG_VALUE = 0xFF16,
    /// The service that the phone publishes.
    PHONE_SERVICE = 0xFF20,
    /// The longest attribute packet that the program takes, in bytes.
    PROGRAM_MTU = 185,
    LONG_LENGTH = 400,
};

/// What the program has for the person.
enum capability { HAS_NONE, HAS_DISPLAY, HAS_KEYBOARD, HAS_YESNO };

/// The command line: PROGRAM PLACE peripheral|central --io none|display|keyboard|yesno [--legacy] [--oob].
struct options {
    /// Where the controller is: a port's number, or a terminal's path.
    const char *place;
    bool is_central;
    enum capability io;
    /// Whether it pairs without LE Secure Connections.
    bool is_legacy;
    /// Whether it says that it has out-of-band data of the phone.
    bool has_oob;
};

/// Reads the command line, or ends the program with 64.
struct options read_options(int count, char *const words[]);

/// Prints a line at once.
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/// Prints a line that ends with bytes in hexadecimal: `read FF11 010203`.
void say_bytes(const char *word, uint16_t uuid, const uint8_t *bytes, size_t length);

/// Reads hexadecimal digits. Returns the number of bytes, at most `room`.
size_t read_bytes(const char *text, uint8_t *bytes, size_t room);

/// The bytes of the long value: three times their place.
const uint8_t *long_value(void);

/// A random number of six digits for the person to enter.
uint32_t random_passkey(void);

/// A command: its word, a characteristic's number if it has one, and the rest.
struct command {
    char word[16];
    uint16_t uuid;
    char rest[64];
};

/// Takes a line apart: `write FF21 0102`, `type 123456`, `yes`.
struct command read_command(const char *line);

#endif
