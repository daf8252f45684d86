/* SPDX-License-Identifier: MIT
 *
 * In which encoding an XML file is written, whatever it says of itself; private to xml.c. */
#ifndef HK_FORMAT_XML_ENCODING_H
#define HK_FORMAT_XML_ENCODING_H

#include "format/xml.h"

#include <expat.h>

/* For encodings that expat does not know: those of one byte that are about. */
int XMLCALL hk_xml_encoding_map(void *user, const XML_Char *name, XML_Encoding *ret);

/* What the file is to be read as although it says something else; NULL: what it says. Then
 * ret_borne says so, and where it is seen. */
const char *hk_xml_encoding_choose(const char *data, size_t size, hk_xml_borne *ret_borne);

#endif
