"""signatures.py TYPE FILE: write what libblkid knows such a disk by into FILE, an image of 2 MiB or more (zfs: 64)."""
import binascii
import struct
import sys
import uuid

ID = uuid.UUID("0b5ff7a5-6e12-4f2c-9c1b-3a7d9d7e1b11").bytes


def xfs(size):
    sb = bytearray(512)
    sb[0:4] = b"XFSB"
    struct.pack_into(">IQ", sb, 4, 4096, 4096)
    sb[32:48] = ID
    struct.pack_into(">III", sb, 80, 1, 1024, 4)
    struct.pack_into(">HHHH", sb, 100, 4, 512, 256, 16)
    sb[120:124] = bytes([12, 9, 8, 4])
    sb[124], sb[127] = 10, 25
    return [(0, sb)]


def btrfs(size):
    sb = bytearray(4096)
    sb[32:48] = ID
    struct.pack_into("<QQ8sQ", sb, 48, 65536, 1, b"_BHRfS_M", 5)
    struct.pack_into("<QQ", sb, 112, size, 131072)
    struct.pack_into("<QI", sb, 136, 1, 4096)
    return [(65536, sb)]


def luks(version):
    return lambda size: [(0, b"LUKS\xba\xbe" + struct.pack(">H", version) + bytes(1016))]


def lvm(size):
    rest = (struct.pack("<I8s", 32, b"LVM2 001") + b"a" * 32).ljust(492, b"\0")
    crc = binascii.crc32(rest, 0xF597A6CF ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
    return [(512, b"LABELONE" + struct.pack("<QI", 1, crc) + rest)]


def md(at):
    def write(size):
        start = at if at >= 0 else (size // 512 - 16) // 8 * 8 * 512
        sb = bytearray(512)
        struct.pack_into("<II", sb, 0, 0xA92B4EFC, 1)
        sb[16:32] = ID
        struct.pack_into("<iIQII", sb, 72, 1, 0, size // 512 - 2048, 0, 2)
        struct.pack_into("<QQQ", sb, 128, 2048, size // 512 - 2048, start // 512)
        return [(start, sb)]

    return write


def gpt(size):
    last = size // 512 - 1
    entry = uuid.UUID("0fc63daf-8483-4772-8e79-3d69d8477de4").bytes_le + ID + struct.pack("<QQQ", 2048, 4095, 0)
    entries = entry.ljust(128 * 128, b"\0")

    def header(mine, other, table):
        h = bytearray(b"EFI PART" + struct.pack("<IIIIQQQQ", 0x10000, 92, 0, 0, mine, other, 34, last - 33))
        h += ID + struct.pack("<QIII", table, 128, 128, binascii.crc32(entries))
        struct.pack_into("<I", h, 16, binascii.crc32(bytes(h)))
        return h.ljust(512, b"\0")

    pmbr = bytes(446) + struct.pack("<BBBBBBBBII", 0, 0, 2, 0, 0xEE, 255, 255, 255, 1, last) + bytes(48) + b"\x55\xaa"
    return [(0, pmbr), (512, header(1, last, 2)), (1024, entries), ((last - 32) * 512, entries),
            (last * 512, header(last, 1, last - 32))]


def dos(size):
    return [(0, bytes(446) + struct.pack("<BBBBBBBBII", 0x80, 0, 2, 0, 0x83, 0, 32, 0, 2048, 8192) + bytes(48) + b"\x55\xaa")]


def f2fs(size):
    return [(1024, struct.pack("<IHHIII", 0xF2F52010, 1, 16, 9, 3, 12).ljust(3072, b"\0"))]


def squashfs(size):
    return [(0, b"hsqs".ljust(28, b"\0") + struct.pack("<HH", 4, 0) + bytes(64))]


def iso9660(size):
    return [(32768, (b"\x01CD001\x01\0" + b"LINUX".ljust(32) + b"DISC".ljust(32)).ljust(2048, b"\0"))]


def zfs(size):
    block = struct.pack("<QQQ", 0x00BAB10C, 5000, 7).ljust(1024, b"\0")
    return [(label + 131072, block * 64) for label in (0, 262144, size - 524288, size - 262144)]


def bcache(size):
    sb = struct.pack("<QQQ", 0, 8, 1) + bytes.fromhex("c68573f64e1a45ca8265f57f48ba6d81") + ID
    return [(4096, sb.ljust(4096, b"\0"))]


TYPES = {"xfs": xfs, "btrfs": btrfs, "luks1": luks(1), "luks2": luks(2), "lvm": lvm, "md-1.2": md(4096), "md-1.1": md(0),
         "md-1.0": md(-1), "gpt": gpt, "dos": dos, "f2fs": f2fs, "squashfs": squashfs, "iso9660": iso9660, "zfs": zfs,
         "bcache": bcache}
with open(sys.argv[2], "r+b") as f:
    end = f.seek(0, 2)
    for offset, data in TYPES[sys.argv[1]](end):
        f.seek(offset)
        f.write(data)
