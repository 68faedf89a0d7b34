"""Builds wheels of the package (PEP 517, PEP 660), with nothing but Python.

A wheel has the package alone, which finds the program where it is installed. With an installation of the program it has that, too:

    cmake --install build/release --prefix /tmp/hepta
    python3 -m pip wheel python/ --config-settings program=/tmp/hepta
"""
import base64
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
METADATA = """Metadata-Version: 2.1
Name: hepta
Version: %s
Summary: Runs and results of hepta, a reservoir simulator for oil and water
License: MIT
Requires-Python: >=3.8
%sProvides-Extra: all
Requires-Dist: matplotlib; extra == "all"
Requires-Dist: pandas; extra == "all"
Requires-Dist: pyvista; extra == "all"
Requires-Dist: xarray; extra == "all"
"""
DATE = (2020, 1, 1, 0, 0, 0)  # of all entries: a wheel is the same whenever it is built


def version():
    with open(os.path.join(HERE, os.pardir, "CMakeLists.txt"), encoding="utf-8") as f:
        return re.search(r"^project\(hepta VERSION (\S+)", f.read(), re.M).group(1)


def requirements():
    """numpy and h5py, but for what is there without a word to pip, as Debian's h5py is: pip would look for another one."""
    for name in ("numpy", "h5py"):
        try:
            importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            if importlib.util.find_spec(name) is not None:
                continue
        yield "Requires-Dist: %s\n" % name


class Wheel:
    def __init__(self, folder, tag):
        self.name = "hepta-%s-%s.whl" % (version(), tag)
        self.info, self.data = "hepta-%s.dist-info/" % version(), "hepta-%s.data/" % version()
        self.zip, self.record = zipfile.ZipFile(os.path.join(folder, self.name), "w", zipfile.ZIP_DEFLATED), []
        self.write(self.info + "METADATA", (METADATA % (version(), "".join(requirements()))).encode())
        self.write(self.info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: hepta\nRoot-Is-Purelib: %s\nTag: %s\n" % (
            "true" if tag.endswith("-any") else "false", tag)).encode())

    def write(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, DATE)
        entry.external_attr, entry.compress_type = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        self.record.append("%s,sha256=%s,%d\n" % (name, digest, len(content)))

    def add(self, folder, under, wanted=lambda path: True):
        """The files of a folder, those of links as files."""
        for at, folders, names in os.walk(folder):
            folders[:] = sorted(n for n in folders if n != "__pycache__")
            for path in (os.path.join(at, name) for name in sorted(names)):
                if wanted(os.path.relpath(path, folder)):
                    with open(path, "rb") as f:
                        self.write(under + os.path.relpath(path, folder), f.read(), os.stat(path).st_mode & 0o777)

    def close(self):
        name = self.info + "RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, DATE), "".join(self.record) + name + ",,\n")
        self.zip.close()
        return self.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    prefix = (config_settings or {}).get("program")
    if prefix is not None and not os.access(os.path.join(prefix, "bin", "hepta"), os.X_OK):
        raise SystemExit("program=%s: there is no bin/hepta: cmake --install build/release --prefix %s" % (prefix, prefix))
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    wheel = Wheel(wheel_directory, "py3-none-any" if prefix is None else "py3-none-" + platform)
    wheel.add(os.path.join(HERE, "hepta"), "hepta/")
    if prefix is not None:
        wheel.add(os.path.join(prefix, "bin"), wheel.data + "scripts/")
        for part in ("lib", "share"):
            wheel.add(os.path.join(prefix, part), wheel.data + "data/" + part + "/", lambda path: not path.startswith("python3"))
    return wheel.close()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    wheel = Wheel(wheel_directory, "py3-none-any")
    wheel.write("hepta.pth", (HERE + "\n").encode())
    return wheel.close()


class UnsupportedOperation(Exception):
    pass


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("the package is built in hepta's repository: python3 -m pip wheel python/")
