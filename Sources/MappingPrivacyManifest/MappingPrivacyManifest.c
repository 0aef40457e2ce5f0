// The manifest is a resource of a C target: a resource of a Swift target would make Linux link Foundation.
#include "MappingPrivacyManifest.h"
